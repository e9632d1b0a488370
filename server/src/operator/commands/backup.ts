import { Command } from 'commander'
import { recordCommand, withDatabase } from './parts/database.ts'
import { answer } from './parts/print.ts'

/** `backup FILE`: writes a consistent copy of the database while servers go on. */
export const backupCommand = new Command('backup')
  .description('Writes a consistent copy of the database to FILE while servers go on.')
  .argument('<file>')
  .action(async (file: string) => {
    await withDatabase(async (db) => {
      await db.backup(file)
      await recordCommand(db, 'operator.backup')
    })
    answer({ file }, `Backup written to ${file}.`)
  })
