import { sql } from 'kysely'
import { SchemaFault } from '../errors.ts'
import { type Db, isPostgres } from '../handle.ts'
import type { Database } from '../open.ts'
import { text } from './0001-baseline.ts'
import { migrations } from './index.ts'

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

/** A query that fails if a table or column of the baseline is missing. */
const useOfAllColumns = `select ${[...text.matchAll(/^create table (\w+) \((.+?)^\)/gms)]
  .map(([, table, body = '']) => {
    const columns = [...body.matchAll(/^ +(?!constraint )(\w+)/gm)].map(([, column]) => column)
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

export async function inLock<T>(
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
