import { apiVersion } from '@skillpass/contract'
import { Command } from 'commander'
import { applyCommand } from './commands/apply.ts'
import { backupCommand } from './commands/backup.ts'
import { configCommand } from './commands/config.ts'
import { importCommand } from './commands/import.ts'
import { migrateCommand } from './commands/migrate.ts'
import { rotateSecretCommand } from './commands/rotate-secret.ts'
import { serveCommand } from './commands/serve.ts'

/** The operator's command, `skillpass-server`. Exit codes: 0 done, 1 failed, 2 wrong usage. */
const program = new Command('skillpass-server')
  .description('Runs and looks after a Skillpass server. Configured by environment variables.')
  .version(apiVersion)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

for (const command of [
  serveCommand,
  migrateCommand,
  importCommand,
  applyCommand,
  rotateSecretCommand,
  backupCommand,
  configCommand,
]) {
  program.addCommand(command.copyInheritedSettings(program))
}

// A reader such as `head` may close the pipe early; that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
