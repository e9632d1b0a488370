import { Command } from 'commander'
import { loadConfig } from '../../runtime/config/config.ts'
import { restoreDatabase } from '../restore.ts'
import { confirm, yesOption } from './parts/action.ts'
import { recordCommand, withDatabase } from './parts/database.ts'
import { escapeLine, printResult } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

export const backupCommand = new Command('backup')
  .description('Writes a consistent copy of the database to a file. Servers can keep running.')
  .argument('<file>')
  .action(async (file: string) => {
    await withDatabase(async (db) => {
      await db.backup(file)
      await recordCommand(db, 'operator.backup')
    })
    printResult({ file }, `Backup written to ${file}.`)
  })

export const restoreCommand: Command = new Command('restore')
  .description(
    'Checks a backup and replaces the SQLite database with it. Stop the servers first. The previous database is kept beside it.',
  )
  .argument('<file>', 'a file written by `backup`')
  .addOption(yesOption())
  .action(async (file: string, options: { yes?: boolean }) => {
    const { clock, env } = currentRun()
    const config = loadConfig(env)
    await confirm(restoreCommand, `Replace the database with ${file}?`, options)
    const restored = await restoreDatabase(config, file, clock.now())
    await withDatabase((db) => recordCommand(db, 'operator.restored', file))
    const { database, former } = restored
    const previous = `The previous database is ${escapeLine(former ?? '')}. Delete it when you no longer need it.`
    printResult(
      { file, ...restored },
      `Restored ${escapeLine(database)} from ${escapeLine(file)}.`,
      ...(former === null ? [] : [previous]),
    )
  })
