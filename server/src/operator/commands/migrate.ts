import { Argument, Command } from 'commander'
import { migrateDown, migrationStatus } from '../../db/migrations/migrate.ts'
import type { Database } from '../../db/open.ts'
import { isoTime } from '../../runtime/time.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { readDatabase, recordCommand, withDatabase, withOperator } from './parts/database.ts'
import { answer, tableOf } from './parts/print.ts'

type Direction = 'up' | 'down' | 'status'

/** `migrate up|down|status`: brings the schema up to date, takes the last step back, or tells. */
export const migrateCommand: Command = new Command('migrate')
  .description('Brings the database schema up to date, undoes the last step, or tells where it is.')
  .addArgument(new Argument('<direction>').choices(['up', 'down', 'status']))
  .addOption(yesOption())
  .action(async (direction: Direction, options: { yes?: boolean }) => {
    if (direction === 'status') return printStatus()
    if (direction === 'down') {
      await confirm(migrateCommand, 'Undo the last step of the schema?', options)
    }
    const names =
      direction === 'up'
        ? await withOperator(async (_, migrated) => migrated, { creates: true })
        : await withDatabase(down)
    answer(
      { [direction === 'up' ? 'applied' : 'undone']: names },
      names.length === 0 ? 'Nothing to do.' : `${direction}: ${names.join(', ')}`,
    )
  })

async function printStatus() {
  const found = await readDatabase(migrationStatus)
  const migrations = found.map(({ name, appliedAt }) => ({ name, appliedAt }))
  const rows = migrations.map(({ name, appliedAt }) => [
    name,
    appliedAt === null ? 'pending' : isoTime(appliedAt),
  ])
  answer({ migrations }, ...tableOf(['migration', 'applied'], rows))
}

async function down(db: Database): Promise<string[]> {
  const undone = await migrateDown(db)
  if (undone === undefined) return []
  await recordCommand(db, 'operator.migrated-down', undone)
  return [undone]
}
