import { readFileSync } from 'node:fs'
import { didYouMean } from '../contract/closest-names.ts'
import { visibleJson } from '../contract/visible-text.ts'
import { printable, safeTerminal, type Terminal, UsageError, wrapped } from './command.ts'
import { commands } from './commands/index.ts'
import { describeError, explained } from './explained.ts'

const overview = `Usage: skillpass <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

For the options of a command, run "skillpass <command> --help".
For the version, run "skillpass --version".

Instead of OWNER/REPO/SKILL, you can use the URL of a skill, or its name in
skillpass.lock. Most commands accept --json, and then print errors as JSON too.
In a terminal, control and invisible characters are escaped, for example as
\\x1b or <U+202E>. To print them unchanged, use --raw. Output to a pipe or a
file is never escaped.

Environment variables:
  SKILLPASS_URL          URL of the service (default: http://localhost:3000)
  SKILLPASS_API_KEY      API key from "skillpass register", sent only to
                         SKILLPASS_URL
  SKILLPASS_SIGNING_KEY  PEM file of your signing key
                         (default: in ~/.config/skillpass/keys)
  SKILLPASS_CACHE        folder of downloaded files
                         (default: ~/.cache/skillpass)
`

/** Runs the program. Returns the exit code: 0, 1 for a failure, or 2 for invalid usage. */
export async function main(argv: string[], screen: Terminal): Promise<number> {
  const options = argv.includes('--') ? argv.indexOf('--') : argv.length
  const isRaw = argv.slice(0, options).includes('--raw')
  const terminal = isRaw ? screen : safeTerminal(screen)
  const [name = '', ...args] = argv.filter((arg, at) => arg !== '--raw' || at > options)
  if (['', 'help', '--help', '-h'].includes(name)) {
    terminal.print(overview)
    return name === '' ? 2 : 0
  }
  if (name === '--version') {
    terminal.print(`${version()}\n`)
    return 0
  }
  const isOption = (...names: string[]) =>
    args
      .slice(0, args.includes('--') ? args.indexOf('--') : undefined)
      .some((arg) => names.includes(arg))
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command && isOption('--help', '-h')) {
    const { usage, summary, details } = command
    const help = [`Usage: skillpass ${name} ${usage}`, summary, ...(details ? [details] : [])]
    terminal.print(`${wrapped(help.join('\n\n'))}\n`)
    return 0
  }
  try {
    if (!command) {
      const near = didYouMean(name, Object.keys(commands))
      throw new UsageError(`Unknown command "${printable(name)}".${near}`)
    }
    await command.run(args, terminal)
    return 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    const what = command ? `skillpass ${name}` : 'skillpass'
    const hint = isUsage ? ` For help, run "${what} --help".` : ''
    if (isOption('--json')) terminal.warn(`${visibleJson({ error: describeError(error) })}\n`)
    else terminal.warn(`${what}: ${explained(error, terminal)}${hint}\n`)
    return isUsage ? 2 : 1
  }
}

/** Reads the version from package.json, which is two folders up both in `src` and in `dist`. */
function version(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return String(version)
}
