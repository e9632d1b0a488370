import { Command } from 'commander'
import { recordCommand, withDatabase } from './parts/database.ts'
import { printJson, printLine } from './parts/print.ts'

/** `backup FILE`: writes a consistent copy of the database while servers go on. */
export const backupCommand = new Command('backup')
  .description('Writes a consistent copy of the database to FILE while servers go on.')
  .argument('<file>')
  .action(async (file: string, options: { json?: boolean }) => {
    await withDatabase(async (db) => {
      await db.backup(file)
      await recordCommand(db, 'operator.backup')
    })
    if (options.json) printJson({ file })
    else printLine(`Backup written to ${file}.`)
  })
