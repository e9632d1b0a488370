import { sql } from 'kysely'
import { type Db, isPostgres } from '../handle.ts'
import type { Database } from '../open.ts'
import { migrations } from './index.ts'
import { inLock } from './migrate.ts'

/** Time after which a server without a sign of life counts as crashed, ms. */
const lifetime = 60_000

/** Notes that a server uses the schema, so that nobody undoes a migration meanwhile. */
export const noteUse = ({ write }: Pick<Database, 'write'>, id: string, name: string) =>
  write((trx) => {
    const seen = { seen_at: timeOf(trx) }
    const row = trx.insertInto('schema_users').values({ id, name, ...seen })
    return row.onConflict((conflict) => conflict.column('id').doUpdateSet(seen)).execute()
  })

/** Notes that a server has stopped. */
export const noteEnd = ({ write }: Pick<Database, 'write'>, id: string) =>
  write((trx) => trx.deleteFrom('schema_users').where('id', '=', id).execute())

/** The clock of the database, because those of the nodes may differ, ms. */
const timeOf = (trx: Db) =>
  isPostgres(trx)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`

/** Reverts the last applied migration. Returns its name, or undefined if none is applied. */
export const migrateDown = (db: Database): Promise<string | undefined> => inLock(db, undo)

/**
 * Returns the tables and columns with data that `migrateDown` would delete, as text. Throws like
 * `migrateDown` if it would fail.
 */
export async function findLosses(db: Database): Promise<string[]> {
  const seen: Tables[] = []
  const dryRun = new Error('A dry run ends with a rollback.')
  await inLock(db, async (trx, applied) => {
    seen.push(await trx.introspection.getTables())
    await undo(trx, applied)
    seen.push(await trx.introspection.getTables())
    throw dryRun
  }).catch((error: unknown) => {
    if (error !== dryRun) throw error
  })
  const [before = [], after = []] = seen
  const losses: string[] = []
  for (const { name, columns } of before) {
    const kept = after.find((table) => table.name === name)
    if (!kept) losses.push(`the table ${name} (${await count(db, name, '*', 'row')})`)
    const lost = columns.filter((column) => !kept?.columns.some((one) => one.name === column.name))
    for (const column of kept ? lost : []) {
      losses.push(
        `the column ${name}.${column.name} (${await count(db, name, column.name, 'value')})`,
      )
    }
  }
  return losses
}

type Tables = Awaited<ReturnType<Db['introspection']['getTables']>>

async function count({ read }: Database, table: string, column: string, unit: string) {
  const { rows } = await sql<{ n: number }>`
    select count(${column === '*' ? sql.raw(column) : sql.ref(column)}) as n from ${sql.table(table)}`.execute(
    read,
  )
  return amount(rows[0]?.n ?? 0, unit)
}

const amount = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'}`

async function undo(trx: Db, applied: ReadonlyMap<string, number>): Promise<string | undefined> {
  const last = migrations.findLast(({ name }) => applied.has(name))
  if (!last) return undefined
  if (!last.down) {
    throw new Error(
      `${last.name} cannot be undone, because that would delete everything. For an empty database, drop this one yourself.`,
    )
  }
  const users = await trx
    .selectFrom('schema_users')
    .select('name')
    .where('seen_at', '>', sql<number>`${timeOf(trx)} - ${lifetime}`)
    .execute()
  if (users.length > 0) {
    throw new Error(
      `${amount(users.length, 'server')} use${users.length === 1 ? 's' : ''} the database: ${users.map(({ name }) => name).join(', ')}. Stop ${users.length === 1 ? 'it' : 'them'} first. A server that crashed counts for a minute.`,
    )
  }
  await last.down(trx)
  await trx.deleteFrom('schema_migrations').where('name', '=', last.name).execute()
  return last.name
}
