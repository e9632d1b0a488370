import { sql } from 'kysely'
import { type Db, preparedFirst, toRow, valuesOf } from '../../db/query.ts'
import { dateKey } from '../../secrets/secrets.ts'

/**
 * Rows to delete: those of a table whose `time`, by default `expires_at`, is before `before`, ms.
 */
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

/**
 * Deletes and counts up to `limit` apps of an account that were created before `before` (ms) and
 * have no active grant. Keeps apps whose client id is an address, because the operator may have
 * disabled them, and apps with a record of their access to meeting content.
 */
export async function purgeUnusedApps(trx: Db, accountId: string, before: number, limit: number) {
  const unused = trx
    .selectFrom('apps')
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select('apps.id')
    .where((eb) => eb.and({ account_id: accountId, environment: 'production' }))
    .where('apps.created_at', '<', before)
    .where('clients.client_id', 'not like', 'http%')
    .where('apps.id', 'not in', (eb) =>
      eb.selectFrom('grants').select('app_id').where('ended_at', 'is', null),
    )
    .where('apps.id', 'not in', (eb) => eb.selectFrom('content_accesses').select('app_id'))
    .limit(limit)
  const ids = await valuesOf(unused, 'id')
  if (ids.length === 0) return 0
  const clients = trx.selectFrom('clients').select('client_id').where('app_id', 'in', ids)
  await trx.deleteFrom('redirect_uris').where('client_id', 'in', clients).execute()
  await trx.deleteFrom('clients').where('app_id', 'in', ids).execute()
  await trx.deleteFrom('approvals').where('app_id', 'in', ids).execute()
  await trx.deleteFrom('apps').where('id', 'in', ids).execute()
  return ids.length
}

/** Stores the use of a client assertion. Returns undefined if it was used before. */
export const insertClientAssertion = preparedFirst((db, use: { key: string; expiresAt: number }) =>
  db
    .insertInto('client_assertions')
    .values(toRow(use, ['key', 'expiresAt']))
    .onConflict((conflict) => conflict.doNothing())
    .returning('key'),
)
