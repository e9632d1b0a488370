import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { dateKey } from '../../secrets/secrets.ts'

/** Tables whose keys begin with the second of issue, and whose rows say when they expire. */
type DatedTable =
  | 'access_tokens'
  | 'refresh_tokens'
  | 'authorization_codes'
  | 'device_codes'
  | 'consent_requests'
  | 'sessions'

/**
 * Keys of up to `limit` rows that expired before a time (ms), the oldest first. `life` (ms) finds them by the
 * time of issue, which the index is in order of; a row that was given a longer life stays.
 */
const oldestKeys = (db: Db, table: DatedTable, life: number, before: number, limit: number) =>
  db
    .selectFrom(table)
    .select('key')
    .where('key', '<', dateKey(before - life))
    .where('expires_at', '<', before)
    .orderBy('key')
    .limit(limit)

/** Removes up to `limit` rows that expired before a time (ms), the oldest first; gives how many. */
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

/** Key and time of rows that are removed once that time is past. */
const pastRows = {
  meeting_tokens: ['key', 'expires_at'],
  refresh_tokens: ['key', 'used_at'],
  grants: ['id', 'ended_at'],
} as const

/** Removes up to `limit` rows whose time came before `before` (ms), the oldest first; gives how many. */
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
 * Removes refresh tokens that have expired, and with one that was never used its grant: it was the
 * grant's last. Gives how many tokens.
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
