import { type Db, preparedFirst, toRow, valuesOf } from '../../db/query.ts'

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
