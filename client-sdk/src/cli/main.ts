import { readFileSync } from 'node:fs'
import { printable, safeTerminal, type Terminal, UsageError } from './command.ts'
import { commands } from './commands/index.ts'
import { explained } from './explained.ts'

const overview = `Usage: skillpass <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

For the options of a command, run "skillpass <command> --help".
For the version, run "skillpass --version".

You can use the URL of a skill instead of OWNER/REPO/SKILL. Most commands accept --json.
In a terminal, control and invisible characters are escaped, for example as \\x1b or <U+202E>.
To print them unchanged, use --raw. Output to a pipe or a file is never escaped.

Environment variables:
  SKILLPASS_URL          URL of the service (default: http://localhost:3000)
  SKILLPASS_API_KEY      API key from "skillpass register"; sent only to SKILLPASS_URL
  SKILLPASS_SIGNING_KEY  PEM file of your signing key (default: in ~/.config/skillpass/keys)
  SKILLPASS_CACHE        folder for downloaded files (default: ~/.cache/skillpass)
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
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    terminal.warn(`skillpass: unknown command "${printable(name)}".\n\n${overview}`)
    return 2
  }
  const { usage, summary, details = '' } = command
  const help = `Usage: skillpass ${name} ${usage}\n\n${summary}\n${details && `\n${details}\n`}`
  const end = args.indexOf('--')
  if (args.slice(0, end < 0 ? undefined : end).some((arg) => arg === '--help' || arg === '-h')) {
    terminal.print(help)
    return 0
  }
  try {
    await command.run(args, terminal)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.warn(`skillpass ${name}: ${error.message}\n\n${help}`)
      return 2
    }
    terminal.warn(`skillpass ${name}: ${explained(error, terminal)}\n`)
    return 1
  }
}

/** Reads the version from package.json, which is two folders up both in `src` and in `dist`. */
function version(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return String(version)
}
