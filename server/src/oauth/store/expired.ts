import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { dateKey } from '../../secrets/secrets.ts'

/** Tables whose keys start with the time of issue and whose rows have an `expires_at`. */
type DatedTable =
  | 'access_tokens'
  | 'refresh_tokens'
  | 'authorization_codes'
  | 'device_codes'
  | 'consent_requests'
  | 'sessions'

/**
 * Selects the keys of up to `limit` rows that expired before `before` (ms), oldest first. `life`
 * (ms) bounds the time of issue, so that the query can use the primary key index. A row with a
 * longer lifetime is not selected.
 */
const oldestKeys = (db: Db, table: DatedTable, life: number, before: number, limit: number) =>
  db
    .selectFrom(table)
    .select('key')
    .where('key', '<', dateKey(before - life))
    .where('expires_at', '<', before)
    .orderBy('key')
    .limit(limit)

/** Deletes and counts up to `limit` rows that expired before `before` (ms), oldest first. */
export async function purgeExpired(
  trx: Db,
  table: DatedTable,
  life: number,
  before: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where('key', 'in', oldestKeys(trx, table, life, before, limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Tables of `purgePast`, each with its key and the time by which it is purged. */
const pastRows = {
  meeting_tokens: ['key', 'expires_at'],
  client_assertions: ['key', 'expires_at'],
  refresh_tokens: ['key', 'used_at'],
  grants: ['id', 'ended_at'],
} as const

/** Deletes and counts up to `limit` rows with an earlier time than `before`, oldest first. */
export async function purgePast(
  trx: Db,
  table: keyof typeof pastRows,
  before: number,
  limit: number,
): Promise<number> {
  const [key, time] = pastRows[table].map((column) => sql.ref(column))
  const oldest = sql`select ${key} from ${sql.table(table)}
    where ${time} < ${before} order by ${time} limit ${limit}`
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where ${key} in (${oldest})`.execute(trx)
  return Number(numAffectedRows)
}

/**
 * Deletes expired refresh tokens. If one was never used, it was the last of its grant, so its grant
 * is deleted as well. Returns the number of tokens.
 */
export async function purgeExpiredRefreshTokens(
  trx: Db,
  life: number,
  before: number,
  limit: number,
): Promise<number> {
  const removed = await trx
    .deleteFrom('refresh_tokens')
    .where('key', 'in', oldestKeys(trx, 'refresh_tokens', life, before, limit))
    .returning(['grant_id as grantId', 'used_at as usedAt'])
    .execute()
  const last = removed.filter(({ usedAt }) => usedAt === null).map(({ grantId }) => grantId)
  if (last.length > 0) await trx.deleteFrom('grants').where('id', 'in', last).execute()
  return removed.length
}
