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
