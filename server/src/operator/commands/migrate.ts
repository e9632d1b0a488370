import { Argument, Command } from 'commander'
import { SchemaFault } from '../../db/errors.ts'
import * as schema from '../../db/migrations/migrate.ts'
import type { Database } from '../../db/open.ts'
import { isoTime } from '../../runtime/time.ts'
import { confirm, yesOption } from './parts/action.ts'
import { readDatabase, recordCommand, withDatabase, withOperator } from './parts/database.ts'
import { printResult, tableOf } from './parts/print.ts'

export const migrateCommand: Command = new Command('migrate')
  .description(
    'Applies all pending migrations of the database (up), undoes the last one (down), or lists them (status).',
  )
  .addArgument(new Argument('<direction>').choices(['up', 'down', 'status']))
  .addOption(yesOption())
  .action(async (direction: 'up' | 'down' | 'status', options: { yes?: boolean }) => {
    if (direction === 'status') return printStatus()
    if (direction === 'down') return withDatabase((db) => down(db, options))
    const applied = await withOperator(async (_, migrated) => migrated, { creates: true })
    printResult(
      { applied },
      applied.length === 0 ? 'Nothing to do.' : `Applied: ${applied.join(', ')}`,
    )
  })

async function printStatus() {
  const { found, problem } = await readDatabase(async (db) => ({
    found: await schema.migrationStatus(db),
    problem: await schema.checkSchema(db).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof SchemaFault) return error.message
        throw error
      },
    ),
  }))
  const migrations = found.map(({ name, appliedAt }) => ({ name, appliedAt }))
  const rows = migrations.map(({ name, appliedAt }) => [
    name,
    appliedAt === null ? 'pending' : isoTime(appliedAt),
  ])
  const table = tableOf(['migration', 'applied'], rows)
  printResult({ migrations, problem }, ...table, ...(problem ? [problem] : []))
}

async function down(db: Database, options: { yes?: boolean }) {
  const lost = await schema.findLosses(db)
  const loss = lost.length === 0 ? 'nothing' : new Intl.ListFormat('en').format(lost)
  await confirm(migrateCommand, `Undo the last migration? This deletes ${loss}.`, options)
  const undone = await schema.migrateDown(db)
  if (undone !== undefined) await recordCommand(db, 'operator.migrated-down', undone)
  printResult(
    { undone: undone === undefined ? [] : [undone], lost },
    undone === undefined ? 'Nothing to do.' : `Undone: ${undone}. Deleted: ${loss}.`,
  )
}
