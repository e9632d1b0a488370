import { Command } from 'commander'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../runtime/time.ts'
import { type Restored, restoreDatabase } from '../restore.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { recordCommand } from './parts/database.ts'
import { partOfLine, printJson, printLine } from './parts/print.ts'

/** `restore FILE`: puts a backup in the place of the database, which is kept under another name. */
export const restoreCommand: Command = new Command('restore')
  .description(
    'Puts a backup in the place of the database, once it is found sound. Stop the servers first. The former database is kept beside it.',
  )
  .argument('<file>', 'what `backup` has written')
  .addOption(yesOption())
  .action(async (file: string, options: { json?: boolean; yes?: boolean }) => {
    const config = loadConfig()
    await confirm(restoreCommand, `Replace the database with ${file}?`, options)
    const restored = await restoreDatabase(config, file, {
      now: systemClock.now(),
      record: (db) => recordCommand(db, 'operator.restored', file),
    })
    if (options.json) printJson({ file, ...restored })
    else tell(file, restored)
  })

function tell(file: string, restored: Restored) {
  const { database, former, damage, skills, users, apps, pendingMigrations } = restored
  printLine(`${partOfLine(database)} is ${partOfLine(file)} now.`)
  printLine(`It holds ${skills} skills, ${users} users and ${apps} apps.`)
  if (pendingMigrations > 0) {
    printLine(
      `It is from an earlier version: the next start applies ${pendingMigrations} migrations.`,
    )
  }
  if (former === null) return
  if (damage !== null) printLine(`The former database is damaged: ${damage}.`)
  printLine(`The former database is kept as ${partOfLine(former)}. Delete it when all is well.`)
}
