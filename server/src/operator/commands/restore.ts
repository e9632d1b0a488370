import { Command } from 'commander'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../runtime/time.ts'
import { restoreDatabase } from '../restore.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { recordCommand, withDatabase } from './parts/database.ts'
import { escapeLine, printResult } from './parts/print.ts'

export const restoreCommand: Command = new Command('restore')
  .description(
    'Checks a backup and replaces the SQLite database with it. Stop the servers first. The previous database is kept beside it.',
  )
  .argument('<file>', 'a file written by `backup`')
  .addOption(yesOption())
  .action(async (file: string, options: { yes?: boolean }) => {
    const config = loadConfig()
    await confirm(restoreCommand, `Replace the database with ${file}?`, options)
    const restored = await restoreDatabase(config, file, systemClock.now())
    await withDatabase((db) => recordCommand(db, 'operator.restored', file))
    const { database, former } = restored
    const previous = `The previous database is ${escapeLine(former ?? '')}. Delete it when you no longer need it.`
    printResult(
      { file, ...restored },
      `Restored ${escapeLine(database)} from ${escapeLine(file)}.`,
      ...(former === null ? [] : [previous]),
    )
  })
