import type { Db } from '../../db/open.ts'
import { dateKey } from '../../secrets.ts'

/** Tables whose keys begin with the second of issue, and whose rows say when they expire. */
export const datedTables = [
  'access_tokens',
  'refresh_tokens',
  'authorization_codes',
  'device_codes',
  'consent_requests',
  'sessions',
] as const

/**
 * Removes up to `limit` rows that were issued and have expired before a time (ms); gives how many.
 * What expired lies at one end of the index, so nothing else is read.
 */
export async function purgeExpired(
  trx: Db,
  table: (typeof datedTables)[number],
  before: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where('key', 'in', (eb) =>
      eb
        .selectFrom(table)
        .select('key')
        .where('key', '<', dateKey(before))
        .where('expires_at', '<', before)
        .orderBy('key')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
