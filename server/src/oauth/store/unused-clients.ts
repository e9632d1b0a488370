import type { Db } from '../../db/open.ts'

/**
 * Deletes and counts up to `limit` apps of an account that were created before `before` (ms) and
 * have no active grant. Keeps apps whose client id is an address, because the operator may have
 * disabled them, and apps with a record of their access to meeting content.
 */
export async function purgeUnusedApps(trx: Db, accountId: string, before: number, limit: number) {
  const rows = await trx
    .selectFrom('apps')
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select('apps.id')
    .where('apps.account_id', '=', accountId)
    .where('apps.created_at', '<', before)
    .where('clients.environment', '=', 'production')
    .where('clients.client_id', 'not like', 'http%')
    .where('apps.id', 'not in', (eb) =>
      eb.selectFrom('grants').select('app_id').where('ended_at', 'is', null),
    )
    .where('apps.id', 'not in', (eb) => eb.selectFrom('content_accesses').select('app_id'))
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  const clients = trx.selectFrom('clients').select('client_id').where('app_id', 'in', ids)
  await trx.deleteFrom('redirect_uris').where('client_id', 'in', clients).execute()
  await trx.deleteFrom('clients').where('app_id', 'in', ids).execute()
  await trx.deleteFrom('approvals').where('app_id', 'in', ids).execute()
  await trx.deleteFrom('apps').where('id', 'in', ids).execute()
  return ids.length
}
