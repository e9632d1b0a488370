import { readFile } from 'node:fs/promises'
import { addressOf, createClient, fitsHeader } from '../../client.ts'
import { UnauthorizedError } from '../../generated/registry-errors.ts'
import { command, json, printable, type Terminal, UsageError } from '../command.ts'
import { loginsFile, registryOf, storeLogin } from '../logins.ts'
import { text } from './arguments.ts'

export const login = command({
  summary: 'Log in: store an API key for a registry.',
  usage: '[URL]',
  details: `Asks for the key without showing it, or reads it from standard input. The registry checks the key before it is stored in ~/.config/skillpass/logins.json, which only you can read.

URL is the address of the registry (default: SKILLPASS_URL). Without SKILLPASS_URL and SKILLPASS_API_KEY, all commands then use this registry and this key.`,
  options: {
    'key-file': text('FILE', 'read the API key from a file'),
  },
  arguments: [0, 1],
  async act({ values, args: [url], terminal }) {
    if (url?.startsWith('skp_')) {
      throw new UsageError(
        'Do not put the key on the command line, where other users and the history of your shell can see it. Run "skillpass login" and paste it.',
      )
    }
    const registry = url === undefined ? registryOf(terminal) : registryFrom(url)
    const apiKey = (await readKey(registry, values['key-file'], terminal)).trim()
    if (!fitsHeader(apiKey)) throw new Error('This is not an API key. A key begins with "skp_".')
    const { data } = await createClient({ baseUrl: registry, apiKey })
      .registry.agents.me()
      .catch((error: unknown) => {
        if (!(error instanceof UnauthorizedError)) throw error
        throw new Error(
          `${registry} does not accept this key. It may be revoked, expired or from another registry.`,
        )
      })
    const { username } = data
    await storeLogin(terminal, registry, { username, apiKey })
    const file = loginsFile(terminal)
    if (values.json) return terminal.print(json({ registry, username, file }))
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

/** Parses the address of a registry. Throws `UsageError`. */
export function registryFrom(url: string): string {
  try {
    return addressOf('URL', url)
  } catch {
    throw new UsageError(`"${printable(url)}" is not the address of a registry, https://….`)
  }
}

async function readKey(registry: string, file: string | undefined, terminal: Terminal) {
  if (file !== undefined) return readFile(file, 'utf8')
  if (terminal.prompt) {
    const answer = await terminal.prompt(`API key for ${registry} (not shown): `, true)
    if (!answer?.trim()) throw new Error('No key was entered.')
    return answer
  }
  if (!terminal.input && process.stdin.isTTY) throw new UsageError('Use --key-file FILE.')
  const chunks: Uint8Array[] = []
  for await (const chunk of terminal.input ?? process.stdin) chunks.push(Buffer.from(chunk))
  const key = Buffer.concat(chunks).toString()
  if (key.trim() === '') throw new UsageError('Standard input has no key.')
  return key
}
