import { Argument, Command } from 'commander'
import { migrateDown, migrateUp, migrationStatus } from '../db/migrate.ts'
import type { Database } from '../db/open.ts'
import { withDatabase } from './database.ts'
import { printJson, printLine, printTable } from './print.ts'

type Direction = 'up' | 'down' | 'status'

/** `migrate up|down|status`: brings the schema up to date, takes the last step back, or tells. */
export const migrateCommand = new Command('migrate')
  .description('Brings the database schema up to date, undoes the last step, or tells where it is.')
  .addArgument(new Argument('<direction>').choices(['up', 'down', 'status']))
  .option('--json', 'print one JSON object')
  .action((direction: Direction, options: { json?: boolean }) =>
    withDatabase((db) => migrate(db, direction, options.json === true)),
  )

async function migrate(db: Database, direction: Direction, json: boolean) {
  if (direction === 'status') {
    const migrations = await migrationStatus(db)
    if (json) return printJson({ migrations })
    const when = (time: number | null) => (time === null ? 'pending' : new Date(time).toISOString())
    return printTable(
      ['migration', 'applied'],
      migrations.map(({ name, appliedAt }) => [name, when(appliedAt)]),
    )
  }
  const done = direction === 'up' ? await migrateUp(db) : [await migrateDown(db)]
  const names = done.filter((name) => name !== undefined)
  if (json) return printJson({ [direction === 'up' ? 'applied' : 'undone']: names })
  printLine(names.length === 0 ? 'Nothing to do.' : `${direction}: ${names.join(', ')}`)
}
