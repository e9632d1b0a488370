import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { dateKey } from '../../secrets/secrets.ts'

/** Rows to delete: those of a table whose `time`, by default `expires_at`, is before `before`, ms. */
export interface Purge {
  readonly table: string
  readonly before: number
  readonly time?: 'used_at' | 'ended_at'
  /**
   * Lifetime of the rows, ms, if their keys start with the time of issue. It bounds that time, so
   * that the query can use the primary key. A row with a longer lifetime is not deleted.
   */
  readonly life?: number
}

/**
 * Deletes and counts up to `limit` rows, oldest first. If an expired refresh token was never used,
 * it was the last of its grant, so its grant is deleted as well.
 */
export async function purge(trx: Db, { table, before, time, life }: Purge, limit: number) {
  const key = sql.ref(table === 'grants' ? 'id' : 'key')
  const ends = sql.ref(time ?? 'expires_at')
  const isIssuedBefore = life === undefined ? sql`true` : sql`${key} < ${dateKey(before - life)}`
  const oldest = sql`select ${key} from ${sql.table(table)}
    where ${isIssuedBefore} and ${ends} < ${before}
    order by ${life === undefined ? ends : key} limit ${limit}`
  if (table === 'refresh_tokens' && time === undefined) {
    await sql`delete from grants where id in (
      select grant_id from refresh_tokens where used_at is null and key in (${oldest}))`.execute(
      trx,
    )
  }
  const deletion = sql`delete from ${sql.table(table)} where ${key} in (${oldest})`
  return Number((await deletion.execute(trx)).numAffectedRows)
}
