import { Command } from 'commander'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../runtime/time.ts'
import { restoreDatabase } from '../restore.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { recordCommand, withDatabase } from './parts/database.ts'
import { answer, partOfLine } from './parts/print.ts'

/** `restore FILE`: puts a backup in the place of the database, which is kept under another name. */
export const restoreCommand: Command = new Command('restore')
  .description(
    'Puts a backup in the place of the database, once it is found sound. Stop the servers first. The former database is kept beside it.',
  )
  .argument('<file>', 'what `backup` has written')
  .addOption(yesOption())
  .action(async (file: string, options: { yes?: boolean }) => {
    const config = loadConfig()
    await confirm(restoreCommand, `Replace the database with ${file}?`, options)
    const restored = await restoreDatabase(config, file, systemClock.now())
    await withDatabase((db) => recordCommand(db, 'operator.restored', file))
    const { database, former } = restored
    const isKept = `The former database is kept as ${partOfLine(former ?? '')}. Delete it when all is well.`
    answer(
      { file, ...restored },
      `${partOfLine(database)} is ${partOfLine(file)} now.`,
      ...(former === null ? [] : [isKept]),
    )
  })
