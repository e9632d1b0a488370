import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/** One entry of the audit log. Times are milliseconds since 1970. */
export type AuditEntry = Fields<'audit_entries'>

const fields = [
  ...(['id', 'at', 'action', 'whoKind', 'who', 'whomKind', 'whom'] as const),
  ...(['accountId', 'network', 'count', 'note'] as const),
]

/** Keeps an entry. */
export const insertEntry = prepared((db, entry: AuditEntry) =>
  db.insertInto('audit_entries').values(toRow(entry, fields)),
)

/** Which entries are asked for: newest first, before the place of the last one seen. */
export interface EntrySelection {
  readonly accountId?: string | undefined
  readonly since?: number | undefined
  readonly action?: string | undefined
  /** Ids of who did it or of whom it was done to. */
  readonly parties?: readonly string[] | undefined
  readonly before?: readonly [at: number, id: string] | undefined
  readonly limit: number
}

/** Entries, newest first. */
export async function listEntries(db: Db, selection: EntrySelection): Promise<AuditEntry[]> {
  const { accountId, since, action, parties, before, limit } = selection
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

/** Where an entry stands among the others; nothing where there is none. */
export async function findPlace(
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

/** Removes entries older than `time`, at most `limit`; gives their number. */
export async function deleteEntriesBefore(trx: Db, time: number, limit: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('audit_entries')
    .where('id', 'in', (eb) =>
      eb.selectFrom('audit_entries').select('id').where('at', '<', time).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
