import { readFileSync } from 'node:fs'
import { didYouMean } from '../contract/closest-names.ts'
import { beside } from '../contract/terminal-text.ts'
import { visibleJson } from '../contract/visible-text.ts'
import { openTerminal, printable, type Screen, UsageError, unknownOption } from './command.ts'
import { commands, groups } from './commands/index.ts'
import { describeError, explained } from './explained.ts'

const overview = `Usage: skillpass <command> [options]

${groups.map(groupText).join('\n')}
For the options of a command, run "skillpass <command> --help".
For the version, run "skillpass --version".

Instead of OWNER/REPO/SKILL, you can use the URL of a skill, or its name in
skillpass.lock, each with an optional @VERSION. Most commands accept --json, and
then print errors as JSON too. Ids are shown with --json, or with --long. Text
is as wide as the terminal, COLUMNS or 80 columns. In a terminal, verdicts have
a color, unless NO_COLOR is set, and control and invisible characters are
escaped, for example as \\x1b or <U+202E>. To print them unchanged, use --raw.
Output to a pipe or a file is never escaped, and has a color only with
FORCE_COLOR.

Environment variables:
  SKILLPASS_URL          address of the registry
                         (default: that of your latest login, otherwise
                         http://localhost:3000)
  SKILLPASS_API_KEY      API key for this registry, instead of your login
  SKILLPASS_SIGNING_KEY  PEM file of your signing key
                         (default: in ~/.config/skillpass/keys)
  SKILLPASS_CACHE        folder of downloaded files
                         (default: ~/.cache/skillpass)
`

function groupText([title, example, group]: (typeof groups)[number]): string {
  const rows = Object.entries(group).map(([name, { summary }]) => beside(`  ${name}`, summary, 12))
  return `${title}, for example: skillpass ${example}\n${rows.join('\n')}\n`
}

/** Options that may also come before the command. */
const flags = ['--help', '--json', '--raw', '--version']

/** Commands of other package managers, and those that do the same here. */
const synonyms = new Map([
  ['uninstall', 'remove'],
  ['delete', 'unpublish'],
  ['show', 'info'],
  ['find', 'search'],
  ['new', 'init'],
  ['check', 'lint'],
  ['eval', 'test'],
  ['rm', 'remove'],
  ['un', 'remove'],
  ['upgrade', 'update'],
  ['get', 'fetch'],
  ['ls', 'list'],
  ['ci', 'install'],
])

/** Runs the program. Returns the exit code: 0, 1 for a failure, or 2 for invalid usage. */
export async function main(argv: string[], screen: Screen): Promise<number> {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const has = (...names: string[]) => argv.slice(0, end).some((arg) => names.includes(arg))
  const given = argv.filter((arg, at) => arg !== '--raw' || at > end)
  const first = given.findIndex((arg) => !arg.startsWith('-'))
  const before = first < 0 ? given : given.slice(0, first)
  const words = first < 0 ? [] : given.slice(first)
  const isHelp = has('--help', '-h') || words[0] === 'help'
  const [name, ...args] = words[0] === 'help' ? words.slice(1) : words
  const isJson = has('--json')
  const terminal = openTerminal(screen, has('--raw'))
  const notes: string[] = []
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    const unknown = before.find((arg) => !flags.includes(arg) && arg !== '-h')
    if (unknown !== undefined) throw unknownOption(unknown, flags)
    if (before.includes('--version')) terminal.print(`${version()}\n`)
    else if (name === undefined && isJson) throw new UsageError('A command is missing.')
    else if (name === undefined) terminal.print(overview)
    else if (!command) {
      const synonym = synonyms.get(name.toLowerCase())
      const near = synonym ? ` Did you mean ${synonym}?` : didYouMean(name, Object.keys(commands))
      throw new UsageError(`Unknown command "${printable(name)}".${near}`)
    } else if (isHelp) {
      terminal.print(command.help(name))
    } else {
      // With `--json`, stderr has only the error, which then contains the notes.
      const warn = (text: string) => void notes.push(text)
      const forJson = { ...terminal, print: terminal.data, warn }
      if (!isJson && !command.isService) terminal.progress.start(`skillpass ${name}`)
      await command.run([...before, ...args], isJson ? forJson : terminal)
      for (const note of notes) terminal.warn(note)
    }
    return argv.length === 0 ? 2 : 0
  } catch (error) {
    const isUsage = error instanceof UsageError
    const what = command ? `skillpass ${name}` : 'skillpass'
    const hint = isUsage ? ` For help, run "${what} --help".` : ''
    if (isJson)
      screen.warn(`${visibleJson({ error: { ...describeError(error), ...notesOf(notes) } })}\n`)
    else terminal.warn(`${what}: ${explained(error, terminal)}${hint}\n`)
    return isUsage ? 2 : 1
  } finally {
    terminal.progress.stop()
  }
}

const notesOf = (notes: readonly string[]) =>
  notes.length === 0 ? {} : { notes: notes.map((note) => note.trim()) }

/** Reads the version from package.json, which is two folders up both in `src` and in `dist`. */
function version(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return String(version)
}
