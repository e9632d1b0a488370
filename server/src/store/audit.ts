import { sql } from 'kysely'
import {
  columnsOf,
  countDeleted,
  type Db,
  type Fields,
  prepared,
  toRow,
  valuesOf,
} from '../db/query.ts'
import { withoutUndefined } from '../text/case.ts'

/** An entry of the audit log. `at` is in milliseconds since the epoch. */
export type AuditEntry = Fields<'audit_entries'>

const fields = [
  ...(['id', 'at', 'action', 'whoKind', 'who', 'whomKind', 'whom'] as const),
  ...(['accountId', 'network', 'count', 'note'] as const),
]

export const insertEntry = prepared((db, entry: AuditEntry) =>
  db.insertInto('audit_entries').values(toRow(entry, fields)),
)

interface EntryFilter {
  readonly accountId?: string | undefined
  readonly since?: number | undefined
  readonly action?: string | undefined
  /** Ids of the acting or affected party. */
  readonly parties?: readonly string[] | undefined
  /** Position of the last entry of the previous page. */
  readonly before?: readonly [at: number, id: string] | undefined
  readonly limit: number
}

export async function listEntries(db: Db, filter: EntryFilter): Promise<AuditEntry[]> {
  const { accountId, since, action, parties, before, limit } = filter
  let query = db
    .selectFrom('audit_entries')
    .select(columnsOf('audit_entries', fields))
    .where((eb) => eb.and(withoutUndefined({ account_id: accountId, action })))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (parties !== undefined) {
    query = query.where((eb) => eb.or([eb('who', 'in', parties), eb('whom', 'in', parties)]))
  }
  if (before !== undefined) {
    query = query.where((eb) => eb(eb.refTuple('at', 'id'), '<', eb.tuple(...before)))
  }
  return query.execute()
}

/** Returns the position of an entry in the list; undefined if the entry does not exist. */
export async function findPosition(db: Db, id: string) {
  const entries = db.selectFrom('audit_entries').select('at').where('id', '=', id)
  const [at] = await valuesOf(entries, 'at')
  return at === undefined ? undefined : ([at, id] as const)
}

/** Deletes up to `limit` entries older than `time`. Returns the number of deleted entries. */
export function deleteEntriesBefore(trx: Db, time: number, limit: number): Promise<number> {
  const old = trx.selectFrom('audit_entries').select('id').where('at', '<', time).limit(limit)
  return countDeleted(trx.deleteFrom('audit_entries').where('id', 'in', old))
}

/** Ids per statement. Databases limit the parameters of a statement to some ten thousand. */
const chunkSize = 5000

/** Returns the names of the users, apps, agents and accounts among the ids. */
export async function findNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let start = 0; start < ids.length; start += chunkSize) {
    const chunk = ids.slice(start, start + chunkSize)
    const [users, apps, agents, accounts] = await Promise.all([
      db.selectFrom('users').select(['id', 'email as name']).where('id', 'in', chunk).execute(),
      db.selectFrom('apps').select(['id', 'name']).where('id', 'in', chunk).execute(),
      db.selectFrom('agents').select(['id', 'username as name']).where('id', 'in', chunk).execute(),
      db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', chunk).execute(),
    ])
    for (const { id, name } of [...users, ...apps, ...agents, ...accounts]) names.set(id, name)
  }
  return names
}

/**
 * Returns the ids of the users with an email, which can be pending in several accounts, and of the
 * agent with a username.
 */
export function findParties(db: Db, name: string): Promise<string[]> {
  const emailKey = name.normalize('NFC').toLowerCase()
  const users = db.selectFrom('users').select('id').where('email_key', '=', emailKey)
  const agents = db.selectFrom('agents').select('id').where('username', '=', name.toLowerCase())
  return valuesOf(users.union(agents), 'id')
}

const maxNames = 5_000

const namesOfKind = {
  account: sql`select name from accounts`,
  app: sql`select name from apps where deleted_at is null`,
  user: sql`select email as name from users where removed_at is null`,
  agent: sql`select username as name from agents`,
}

export async function listNames(db: Db, kind: keyof typeof namesOfKind): Promise<string[]> {
  const query = sql<{ name: string }>`${namesOfKind[kind]} limit ${sql.lit(maxNames)}`
  return (await query.execute(db)).rows.map(({ name }) => name)
}
