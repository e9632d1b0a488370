import { apiVersion } from '@skillpass/contract'
import { Command } from 'commander'
import { agentCommand } from './agent.ts'
import { applyCommand } from './apply.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { configCommand } from './config.ts'
import { encryptionCommand } from './encryption.ts'
import { feedbackCommand } from './feedback.ts'
import { importCommand } from './import.ts'
import { migrateCommand } from './migrate.ts'
import { printError, printRaw } from './print.ts'
import { reportsCommand } from './reports.ts'
import { rotateSecretCommand } from './rotate-secret.ts'
import { serveCommand } from './serve.ts'
import { skillCommand } from './skill.ts'
import { verdictsCommand } from './verdicts.ts'

/** The operator's command, `skillpass-server`. Exit codes: 0 done, 1 failed, 2 wrong usage. */
const program = new Command('skillpass-server')
  .description('Runs and looks after a Skillpass server. Configured by environment variables.')
  .version(apiVersion)
  .option('--raw', 'write control and invisible characters to a screen as they are')
  .configureOutput({ writeErr: printError })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

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
  verdictsCommand,
  auditCommand,
  backupCommand,
  encryptionCommand,
  configCommand,
]) {
  program.addCommand(inherit(command, program))
}

/** Commands within commands end with the same exit codes. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent)
  for (const child of command.commands) inherit(child, command)
  return command
}

// A reader such as `head` may close the pipe early; that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

const args = process.argv.slice(2)
const end = args.includes('--') ? args.indexOf('--') : args.length
if (args.slice(0, end).includes('--raw')) printRaw()

try {
  // Every command takes it, wherever it stands.
  await program.parseAsync(
    args.filter((arg, at) => arg !== '--raw' || at > end),
    { from: 'user' },
  )
} catch (error) {
  printError(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
