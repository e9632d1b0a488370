import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { dateKey } from '../../secrets/secrets.ts'
import { deleteGrants } from './grants.ts'

/** Tables whose keys begin with the second of issue, and whose rows say when they expire. */
export type DatedTable =
  | 'access_tokens'
  | 'refresh_tokens'
  | 'authorization_codes'
  | 'device_codes'
  | 'consent_requests'
  | 'sessions'

/** What has expired: by the time of issue (ms), which the index is in order of, and to be sure. */
export interface Expired {
  readonly issuedBefore: number
  readonly expiredBefore: number
  /** Most rows to remove. */
  readonly limit: number
}

const oldestKeys = (db: Db, table: DatedTable, expired: Expired) =>
  db
    .selectFrom(table)
    .select('key')
    .where('key', '<', dateKey(expired.issuedBefore))
    .where('expires_at', '<', expired.expiredBefore)
    .orderBy('key')
    .limit(expired.limit)

/** Removes rows that have expired, the oldest first; gives how many. */
export async function purgeExpired(trx: Db, table: DatedTable, expired: Expired): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where('key', 'in', oldestKeys(trx, table, expired))
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
export async function purgeExpiredRefreshTokens(trx: Db, expired: Expired): Promise<number> {
  const removed = await trx
    .deleteFrom('refresh_tokens')
    .where('key', 'in', oldestKeys(trx, 'refresh_tokens', expired))
    .returning(['grant_id as grantId', 'used_at as usedAt'])
    .execute()
  const last = removed.filter(({ usedAt }) => usedAt === null)
  await deleteGrants(
    trx,
    last.map(({ grantId }) => grantId),
  )
  return removed.length
}
