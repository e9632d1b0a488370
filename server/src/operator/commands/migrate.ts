import { Argument, Command } from 'commander'
import { migrateDown, migrationStatus } from '../../db/migrations/migrate.ts'
import type { Database } from '../../db/open.ts'
import { prepareDatabase } from '../../encryption/stored.ts'
import { isoTime } from '../../runtime/time.ts'
import { confirmOnTerminal, yesOption } from './parts/confirm.ts'
import {
  readDatabase,
  recordCommand,
  withDatabase,
  withUnlockedDatabase,
} from './parts/database.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

type Direction = 'up' | 'down' | 'status'

/** `migrate up|down|status`: brings the schema up to date, takes the last step back, or tells. */
export const migrateCommand: Command = new Command('migrate')
  .description('Brings the database schema up to date, undoes the last step, or tells where it is.')
  .addArgument(new Argument('<direction>').choices(['up', 'down', 'status']))
  .addOption(yesOption())
  .action(async (direction: Direction, options: { json?: boolean; yes?: boolean }) => {
    if (direction === 'down') {
      await confirmOnTerminal(migrateCommand, 'Undo the last step of the schema?', options)
    }
    if (direction === 'status') return printStatus(options)
    const names =
      direction === 'up'
        ? await withUnlockedDatabase(prepareDatabase, { creates: true })
        : await withDatabase(down)
    if (options.json) return printJson({ [direction === 'up' ? 'applied' : 'undone']: names })
    printLine(names.length === 0 ? 'Nothing to do.' : `${direction}: ${names.join(', ')}`)
  })

async function printStatus({ json }: { json?: boolean }) {
  const migrations = await readDatabase(migrationStatus)
  if (json) {
    return printJson({ migrations: migrations.map(({ name, appliedAt }) => ({ name, appliedAt })) })
  }
  const when = (time: number | null) => (time === null ? 'pending' : isoTime(time))
  printTable(
    ['migration', 'applied'],
    migrations.map(({ name, appliedAt }) => [name, when(appliedAt)]),
  )
}

async function down(db: Database): Promise<string[]> {
  const undone = await migrateDown(db)
  if (undone === undefined) return []
  await recordCommand(db, 'operator.migrated-down', undone)
  return [undone]
}
