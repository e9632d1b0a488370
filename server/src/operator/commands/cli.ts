import { apiVersion, fileErrorMessage, visibleJson } from '@skillpass/contract'
import { Command, CommanderError } from 'commander'
import { messageOf } from '../../errors/message-of.ts'
import { findMisspelled } from '../../runtime/config/misspelled.ts'
import { agentCommand } from './agent.ts'
import { appCommand } from './app.ts'
import { applyCommand } from './apply.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { configCommand } from './config.ts'
import { demoCommand } from './demo.ts'
import { doubleCommand } from './double.ts'
import { encryptionCommand } from './encryption.ts'
import { feedbackCommand } from './feedback.ts'
import { importCommand } from './import.ts'
import { keyCommand } from './key.ts'
import { migrateCommand } from './migrate.ts'
import { mirrorCommand } from './mirror.ts'
import { Declined } from './parts/action.ts'
import { examplesOf } from './parts/examples.ts'
import { printError, printWarning } from './parts/print.ts'
import { currentRun, processTerminal, startRun, type Terminal } from './parts/terminal.ts'
import { reportsCommand } from './reports.ts'
import { rotateSecretCommand } from './rotate-secret.ts'
import { serveCommand } from './serve.ts'
import { skillCommand } from './skill.ts'
import { statsCommand } from './stats.ts'
import { tokenCommand } from './token.ts'
import { userCommand } from './user.ts'

/** The operator's command `skillpass-server`. */
const program = new Command('skillpass-server')
  .description(
    'Runs and manages a Skillpass server. Environment variables configure it: see the config command.',
  )
  .version(apiVersion)
  .option('--raw', 'print control and invisible characters unescaped on a terminal')
  .configureHelp({ helpWidth: 80, minWidthToWrap: 30 })
  .configureOutput({
    writeOut: (text) => currentRun().stdout.write(text),
    writeErr: printError,
    outputError: (text) => reportError('usage', text),
  })
  .exitOverride()
  .hook('preAction', (_program, command) => {
    const { progress, env } = currentRun()
    if (command !== serveCommand) progress.start(`skillpass-server ${command.name()}`)
    // `serve` logs misspelled variables, and `config` fails on them.
    if (command === serveCommand || command === configCommand) return
    for (const sentence of findMisspelled(env)) printWarning(sentence)
  })

for (const command of [
  serveCommand,
  migrateCommand,
  importCommand,
  mirrorCommand,
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
  auditCommand,
  backupCommand,
  restoreCommand,
  encryptionCommand,
  demoCommand,
  doubleCommand,
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
  const { isJson, notes, stderr } = currentRun()
  if (!isJson) return printError(text.endsWith('\n') ? text : `${text}\n`)
  const message = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
  const before = notes.length > 0 ? { notes: notes.map((note) => note.trim()) } : {}
  stderr.write(`${visibleJson({ error: { code, message, ...before } })}\n`)
}

/** Runs `skillpass-server`. Returns its exit code: 0 success, 1 failure, 2 incorrect usage. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  // These options may appear at any position.
  const isGlobal = (arg: string, at: number) => at < end && ['--json', '--raw'].includes(arg)
  const others = args.filter((arg, at) => !isGlobal(arg, at))
  return startRun(args.filter(isGlobal), terminal, async () => {
    try {
      await program.parseAsync(others, { from: 'user' })
    } catch (error) {
      currentRun().exitCode = exitCodeOf(error)
    }
  })
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!(error instanceof Declined))
    reportError('failed', fileErrorMessage(error) ?? messageOf(error))
  return 1
}

/** Runs the command line of this process. */
export async function main(): Promise<void> {
  // A reader such as `head` may close the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
  const code = await runCommand(process.argv.slice(2), processTerminal)
  if (code !== 0) process.exit(code)
}
