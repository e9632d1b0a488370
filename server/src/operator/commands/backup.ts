import { Command } from 'commander'
import { recordCommand, withDatabase } from './parts/database.ts'
import { printResult } from './parts/print.ts'

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
