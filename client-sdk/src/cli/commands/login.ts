import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { createClient, fitsHeader } from '../../client.ts'
import { UnauthorizedError } from '../../generated/registry-errors.ts'
import { clientFor, command, json, printable, type Terminal, UsageError } from '../command.ts'
import { loginsFile, otherLogin, registryOf, storeLogin } from '../logins.ts'
import { text } from './arguments.ts'

export const login = command({
  summary: 'Log in: store an API key for a registry.',
  usage: '[URL]',
  details: `Asks for the key without showing it, or reads it from standard input. The registry checks the key before it is stored in ~/.config/skillpass/logins.json, which only you can read.

URL is the address of the registry (default: SKILLPASS_URL). Without SKILLPASS_URL and SKILLPASS_API_KEY, all commands then use this registry and this key.`,
  options: {
    'key-file': text('FILE', 'read the API key from a file'),
    browser: text('CODE', 'sign in the browser that shows this code, with the stored key'),
  },
  arguments: [0, 1],
  async act({ values, args: [url], terminal }) {
    if (values.browser !== undefined)
      return signInBrowser(values.browser, url, terminal, values.json)
    if (url?.startsWith('skp_')) {
      throw new UsageError(
        'Do not put the key on the command line, where other users and the history of your shell can see it. Run "skillpass login" and paste it.',
      )
    }
    const registry = registryOf(terminal, url)
    const apiKey = (await readKey(registry, values['key-file'], terminal))?.trim()
    if (!apiKey) throw new UsageError('No key was entered.')
    if (!fitsHeader(apiKey)) throw new Error('This is not an API key. A key begins with "skp_".')
    const { agents } = createClient({ baseUrl: registry, apiKey }).registry
    const { data } = await agents.me().catch((error: unknown) => {
      if (!(error instanceof UnauthorizedError)) throw error
      throw new Error(`${registry} does not accept this key. It may be revoked or expired.`)
    })
    const { username } = data
    const problem = otherLogin(terminal, registry, username)
    if (problem) throw new Error(problem)
    await storeLogin(terminal, registry, { username, apiKey })
    if (values.json) return terminal.print(json({ registry, username, file: loginsFile(terminal) }))
    terminal.print(`Logged in to ${registry} as ${printable(username)}.\n`)
    warnIfOverridden(terminal)
  },
})

/** Warns if the environment has a key, which commands use instead of a stored one. */
export function warnIfOverridden(terminal: Terminal) {
  if (!terminal.env.SKILLPASS_API_KEY?.trim()) return
  terminal.warn(
    'SKILLPASS_API_KEY is set, so commands use its key. To use the stored login, unset it.\n',
  )
}

async function signInBrowser(
  code: string,
  url: string | undefined,
  terminal: Terminal,
  isJson: boolean,
) {
  const registry = registryOf(terminal, url)
  const question = `Sign in the browser that shows ${printable(code)} to ${registry}? Answer yes only if you have opened that page yourself.`
  if (terminal.ask && !(await terminal.ask(question))) return terminal.print('Not signed in.\n')
  const { data } = await clientFor(terminal, registry).registry.agents.signInBrowser({
    body: { code },
  })
  if (isJson) return terminal.print(json(data))
  terminal.print(`The browser${data.network ? ` at ${data.network}` : ''} is signed in.\n`)
}

async function readKey(registry: string, file: string | undefined, terminal: Terminal) {
  if (file !== undefined) return readFile(file, 'utf8')
  if (terminal.prompt) return terminal.prompt(`API key for ${registry} (not shown): `, true)
  if (!terminal.input && process.stdin.isTTY) throw new UsageError('Use --key-file FILE.')
  return readText(terminal.input ?? process.stdin)
}
