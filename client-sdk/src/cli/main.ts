import { readFileSync } from 'node:fs'
import { SkillpassError } from '../errors.ts'
import { UnauthorizedError } from '../generated/registry-errors.ts'
import { ValidationError } from '../registry-error.ts'
import { plain, safeTerminal, type Terminal, UsageError } from './command.ts'
import { commands } from './commands/index.ts'
import { fileTrouble, messageOf } from './errors.ts'

const overview = `Usage: skillpass <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

"skillpass <command> --help" says more. Most commands take --json. "skillpass --version" prints the version.
OWNER/REPO/SKILL may be the http address of the skill instead.
On a screen, control and invisible characters in skills are written out, as \\x1b and <U+202E>;
--raw prints them as they are, as a pipe or a file always gets them.

Environment:
  SKILLPASS_URL      address of the service, http://localhost:3000 by default
  SKILLPASS_API_KEY  key of the agent, from "skillpass register"; only SKILLPASS_URL gets it
  SKILLPASS_CACHE    folder of downloaded files, ~/.cache/skillpass by default
`

/** Runs the program; gives its exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function main(argv: string[], given: Terminal): Promise<number> {
  const options = argv.includes('--') ? argv.indexOf('--') : argv.length
  const isRaw = argv.slice(0, options).includes('--raw')
  const terminal = isRaw ? given : safeTerminal(given)
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
    terminal.warn(`skillpass: there is no command "${plain(name)}".\n\n${overview}`)
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

/** From the package, which lies two folders up in the sources and in the build alike. */
function version(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return String(version)
}

/** What went wrong and what to do, without a stack trace. */
function explained(error: unknown, { env }: Terminal): string {
  if (!(error instanceof SkillpassError)) {
    return fileTrouble(error) ?? messageOf(error)
  }
  const lines = [plain(error.message)]
  // The message says the first thing to change.
  if (error instanceof ValidationError && error.details.length > 1) {
    lines.push(...error.details.map(({ path, message }) => plain(`  ${path}: ${message}`)))
  }
  if (error instanceof UnauthorizedError) {
    const hint = env.SKILLPASS_API_KEY
      ? 'SKILLPASS_API_KEY was refused.'
      : 'SKILLPASS_API_KEY is not set.'
    lines.push(`  ${hint} "skillpass register USERNAME" gives a key.`)
  }
  if (error.retryAfter !== undefined) lines.push(`  Try again in ${error.retryAfter} seconds.`)
  if (error.requestId) lines.push(`  Request id: ${plain(error.requestId)}`)
  return lines.join('\n')
}
