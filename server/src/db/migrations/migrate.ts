import { sql } from 'kysely'
import { SchemaFault } from '../errors.ts'
import { type Db, isPostgres } from '../handle.ts'
import type { Database } from '../open.ts'
import * as baseline from './0001-baseline.ts'
import * as occurrenceChanges from './0002-occurrence-changes.ts'
import * as claims from './0003-claims.ts'
import * as flatKeys from './0004-flat-keys.ts'
import * as readersReports from './0005-readers-reports.ts'
import * as appCalls from './0006-app-calls.ts'
import * as signUp from './0007-sign-up.ts'
import * as events from './0008-events.ts'
import * as meetingLife from './0009-meeting-life.ts'
import * as organizations from './0010-organizations.ts'
import * as versionStates from './0011-version-states.ts'
import * as keyLimits from './0012-key-limits.ts'
import * as changes from './0013-changes.ts'
import * as mirrors from './0014-mirrors.ts'
import * as browserSessions from './0015-browser-sessions.ts'

/**
 * Applies missing migrations in one transaction, so that a killed migration changes nothing.
 * Several processes may call it at once. Returns the applied names. Throws if the database has a
 * newer version.
 */
export async function migrateUp(db: Database, now = Date.now): Promise<string[]> {
  return inLock(db, async (trx, applied) => {
    const pending = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, up } of pending) {
      await up(trx)
      await trx.insertInto('schema_migrations').values({ name, applied_at: now() }).execute()
    }
    return pending.map(({ name }) => name)
  })
}

/**
 * Returns a number that identifies the database. Throws `SchemaFault` if this version of Skillpass
 * cannot use its schema.
 */
export async function checkSchema({ read }: Pick<Database, 'read'>): Promise<number> {
  const applied = await readApplied(read)
  refuseUnknown([...applied.keys()])
  const pending = migrations.flatMap(({ name }) => (applied.has(name) ? [] : [name]))
  if (pending.length > 0) {
    throw new SchemaFault(
      `its schema is older than this Skillpass, which needs ${pending.join(', ')}. Run skillpass-server migrate up, or restart the server.`,
    )
  }
  const { rows } = await sql.raw<{ key: number | null }>(useOfAllColumns).execute(read)
  const key = rows[0]?.key ?? undefined
  if (key === undefined) {
    throw new SchemaFault('its table registry_revision is empty. Restore a backup.')
  }
  return key
}

/** Columns of the baseline that a later migration dropped. */
const dropped = ['api_keys.parent_id']

/** A query that fails if another table or column of the baseline is missing. */
const useOfAllColumns = `select ${[...baseline.text.matchAll(/^create table (\w+) \((.+?)^\)/gms)]
  .map(([, table, body = '']) => {
    const columns = [...body.matchAll(/^ +(?!constraint )(\w+)/gm)]
      .map(([, column]) => column)
      .filter((column) => !dropped.includes(`${table}.${column}`))
    return `exists (select ${columns.join(', ')} from ${table} where 1 = 0)`
  })
  .join(', ')}, (select passage_key from registry_revision) as key`

/** Lists migrations. `appliedAt` is in ms or null; `isKnown` means that this build has it. */
export async function migrationStatus(db: Pick<Database, 'read'>) {
  const tables = await db.read.introspection.getTables()
  const isNew = !tables.some(({ name }) => name === 'schema_migrations')
  const applied = isNew ? new Map<string, number>() : await readApplied(db.read)
  const known = new Set(migrations.map(({ name }) => name))
  return [...new Set([...known, ...applied.keys()])].map((name) => ({
    name,
    appliedAt: applied.get(name) ?? null,
    isKnown: known.has(name),
  }))
}

/** Number of the advisory lock that a process holds while it migrates. */
const migrating = 7130

async function inLock<T>(
  db: Database,
  work: (trx: Db, applied: Map<string, number>) => Promise<T>,
): Promise<T> {
  return db.write(
    async (trx) => {
      // On Postgres, concurrent `create table if not exists` statements can fail.
      if (isPostgres(trx)) await sql`select pg_advisory_xact_lock(${migrating})`.execute(trx)
      for (const statement of bookkeeping) await sql.raw(statement).execute(trx)
      // A key rotation waits for the lock on this row too.
      await trx
        .updateTable('schema_lock')
        .set((eb) => ({ taken: eb('taken', '+', 1) }))
        .execute()
      const applied = await readApplied(trx)
      refuseUnknown([...applied.keys()])
      return work(trx, applied)
    },
    { isLong: true },
  )
}

function refuseUnknown(applied: readonly string[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new SchemaFault(
    `a newer Skillpass (${unknown.join(', ')}) has migrated it. Start that version, ` +
      'or undo its migrations with it first: skillpass-server migrate down.',
  )
}

async function readApplied(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('schema_migrations').selectAll().orderBy('name').execute()
  return new Map(rows.map(({ name, applied_at }) => [name, applied_at]))
}

const bookkeeping = [
  'create table if not exists schema_migrations (name text primary key not null, applied_at bigint not null)',
  'create table if not exists schema_lock (id integer primary key not null, taken bigint not null)',
  'insert into schema_lock (id, taken) values (1, 0) on conflict do nothing',
  'create table if not exists schema_users (id text primary key not null, name text not null, seen_at bigint not null)',
]

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

interface Migration {
  readonly name: string
  up(trx: Db): Promise<void>
  /** Missing if the migration cannot be undone. */
  down?(trx: Db): Promise<void>
}

/** All migrations, in order. Append only: never change a released migration. */
export const migrations: Migration[] = [
  { name: '0001-baseline', ...baseline },
  { name: '0002-occurrence-changes', ...occurrenceChanges },
  { name: '0003-claims', ...claims },
  { name: '0004-flat-keys', ...flatKeys },
  { name: '0005-readers-reports', ...readersReports },
  { name: '0006-app-calls', ...appCalls },
  { name: '0007-sign-up', ...signUp },
  { name: '0008-events', ...events },
  { name: '0009-meeting-life', ...meetingLife },
  { name: '0010-organizations', ...organizations },
  { name: '0011-version-states', ...versionStates },
  { name: '0012-key-limits', ...keyLimits },
  { name: '0013-changes', ...changes },
  { name: '0014-mirrors', ...mirrors },
  { name: '0015-browser-sessions', ...browserSessions },
]
