import { apiVersion, visibleJson } from '@skillpass/contract'
import { Command } from 'commander'
import { messageOf } from '../../errors/message-of.ts'
import { readVariables } from '../../runtime/config/config.ts'
import { findMisspelled } from '../../runtime/config/misspelled.ts'
import { describeConfig } from '../../runtime/config/variables.ts'
import { countGrowth, countStates, databaseBytes } from '../../store/counts.ts'
import { agentCommand, keyCommand } from './agent.ts'
import { appCommand, rotateSecretCommand } from './app.ts'
import { applyCommand } from './apply.ts'
import { auditCommand } from './audit.ts'
import {
  backupCommand,
  checkCommand,
  encryptionCommand,
  migrateCommand,
  restoreCommand,
} from './database.ts'
import { demoCommand } from './demo.ts'
import { importCommand } from './import.ts'
import { withOperator } from './parts/database.ts'
import { examplesOf } from './parts/examples.ts'
import {
  escapeLine,
  humanize,
  output,
  printError,
  printResult,
  printWarning,
  tableOf,
} from './parts/print.ts'
import { feedbackCommand, reportsCommand, verdictsCommand } from './reports.ts'
import { serveCommand } from './serve.ts'
import { skillCommand } from './skill.ts'
import { tokenCommand, userCommand } from './user.ts'

const args = process.argv.slice(2)
const end = args.includes('--') ? args.indexOf('--') : args.length
const options = args.slice(0, end)
output.isJson = options.includes('--json')
output.isRaw = options.includes('--raw')

const configCommand = new Command('config')
  .description(
    'Lists every variable with its value and meaning. Fails if a value is invalid or a name looks misspelled, and lists all problems.',
  )
  .action(() => {
    const variables = describeConfig()
    const rows = variables.flatMap(({ name, value, meaning }) => [
      `${name}=${escapeLine(value)}`,
      `    ${meaning}`,
    ])
    printResult({ variables }, ...rows)
    const problems = [...readVariables().problems, ...findMisspelled()]
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })

const statsCommand = new Command('stats')
  .description('Counts skills, agents, users, apps, tokens and webhooks, and shows how they grow.')
  .action(() =>
    withOperator(async ({ clock, db: { read } }) => {
      const growth = await countGrowth(read, clock.now())
      const state = await countStates(read, clock.now())
      const database = await databaseBytes(read)
      printResult(
        { ...growth, state, bytes: { database } },
        ...tableOf(
          ['', 'total', '24 h', '7 d', '30 d'],
          Object.entries(growth).map(([name, growth]) => [name, ...Object.values(growth)]),
        ),
        '',
        ...tableOf(
          ['now', 'count'],
          Object.entries(state).map(([name, count]) => [humanize(name), count]),
        ),
        '',
        `Database: ${(database / 1e6).toFixed(1)} MB`,
      )
    }),
  )

/**
 * The operator's command `skillpass-server`. Exit codes: 0 success, 1 failure, 2 incorrect usage.
 */
const program = new Command('skillpass-server')
  .description(
    'Runs and manages a Skillpass server. Environment variables configure it: see the config command.',
  )
  .version(apiVersion)
  .option('--raw', 'print control and invisible characters unescaped on a terminal')
  .configureHelp({ helpWidth: 80, minWidthToWrap: 30 })
  .configureOutput({ writeErr: printError, outputError: (text) => reportError('usage', text) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .hook('preAction', (_program, command) => {
    // `serve` logs misspelled variables, and `config` fails on them.
    if (command === serveCommand || command === configCommand) return
    for (const sentence of findMisspelled()) printWarning(sentence)
  })

for (const command of [
  serveCommand,
  migrateCommand,
  importCommand,
  applyCommand,
  rotateSecretCommand,
  skillCommand,
  agentCommand,
  feedbackCommand,
  reportsCommand,
  appCommand,
  userCommand,
  tokenCommand,
  keyCommand,
  statsCommand,
  checkCommand,
  verdictsCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  encryptionCommand,
  demoCommand,
  configCommand,
]) {
  program.addCommand(inherit(command, program))
}

/** Adds the settings of the program, `--json` and examples to a command and its subcommands. */
function inherit(command: Command, parent: Command, path = command.name()): Command {
  command.copyInheritedSettings(parent)
  command.addHelpText('after', examplesOf(path))
  if (command.commands.length === 0) command.option('--json', 'print the result as one JSON object')
  for (const child of command.commands) inherit(child, command, `${path} ${child.name()}`)
  return command
}

/** Prints an error as text or, with `--json`, as a JSON object. */
function reportError(code: 'usage' | 'failed', text: string) {
  if (!output.isJson) return printError(text.endsWith('\n') ? text : `${text}\n`)
  const message = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
  const notes = output.notes.length > 0 ? { notes: output.notes.map((note) => note.trim()) } : {}
  process.stderr.write(`${visibleJson({ error: { code, message, ...notes } })}\n`)
}

// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

try {
  // Both may appear at any position.
  await program.parseAsync(
    args.filter((arg, at) => !['--json', '--raw'].includes(arg) || at > end),
    { from: 'user' },
  )
} catch (error) {
  reportError('failed', messageOf(error))
  process.exit(1)
}
