import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/** An entry of the audit log. `at` is in milliseconds since the epoch. */
export type AuditEntry = Fields<'audit_entries'>

const fields = [
  ...(['id', 'at', 'action', 'whoKind', 'who', 'whomKind', 'whom'] as const),
  ...(['accountId', 'network', 'count', 'note'] as const),
]

export const insertEntry = prepared((db, entry: AuditEntry) =>
  db.insertInto('audit_entries').values(toRow(entry, fields)),
)

export interface EntryFilter {
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
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (action !== undefined) query = query.where('action', '=', action)
  if (parties !== undefined) {
    query = query.where((eb) => eb.or([eb('who', 'in', parties), eb('whom', 'in', parties)]))
  }
  if (before !== undefined) {
    const [at, id] = before
    query = query.where('at', '<=', at).where((eb) => eb.or([eb('at', '<', at), eb('id', '<', id)]))
  }
  return query.execute()
}

/** Returns the position of an entry in the list; undefined if the entry does not exist. */
export async function findPosition(
  db: Db,
  id: string,
): Promise<readonly [at: number, id: string] | undefined> {
  const row = await db
    .selectFrom('audit_entries')
    .select('at')
    .where('id', '=', id)
    .executeTakeFirst()
  return row && [row.at, id]
}

/** Deletes up to `limit` entries older than `time`. Returns the number of deleted entries. */
export async function deleteEntriesBefore(trx: Db, time: number, limit: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('audit_entries')
    .where('id', 'in', (eb) =>
      eb.selectFrom('audit_entries').select('id').where('at', '<', time).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
