import { Argument, Command } from 'commander'
import { migrateDown, migrationStatus } from '../../db/migrations/migrate.ts'
import type { Database } from '../../db/open.ts'
import { isoTime } from '../../runtime/time.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { readDatabase, recordCommand, withDatabase, withOperator } from './parts/database.ts'
import { printResult, tableOf } from './parts/print.ts'

type Direction = 'up' | 'down' | 'status'

export const migrateCommand: Command = new Command('migrate')
  .description(
    'Applies all pending migrations of the database (up), undoes the last one (down), or lists them (status).',
  )
  .addArgument(new Argument('<direction>').choices(['up', 'down', 'status']))
  .addOption(yesOption())
  .action(async (direction: Direction, options: { yes?: boolean }) => {
    if (direction === 'status') return printStatus()
    if (direction === 'down') {
      await confirm(migrateCommand, 'Undo the last migration?', options)
    }
    const names =
      direction === 'up'
        ? await withOperator(async (_, migrated) => migrated, { creates: true })
        : await withDatabase(down)
    printResult(
      direction === 'up' ? { applied: names } : { undone: names },
      names.length === 0
        ? 'Nothing to do.'
        : `${direction === 'up' ? 'Applied' : 'Undone'}: ${names.join(', ')}`,
    )
  })

async function printStatus() {
  const found = await readDatabase(migrationStatus)
  const migrations = found.map(({ name, appliedAt }) => ({ name, appliedAt }))
  const rows = migrations.map(({ name, appliedAt }) => [
    name,
    appliedAt === null ? 'pending' : isoTime(appliedAt),
  ])
  printResult({ migrations }, ...tableOf(['migration', 'applied'], rows))
}

async function down(db: Database): Promise<string[]> {
  const undone = await migrateDown(db)
  if (undone === undefined) return []
  await recordCommand(db, 'operator.migrated-down', undone)
  return [undone]
}
