import type { Db } from '../../db/open.ts'

export type EndpointRecord = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>

/** Finds an app's endpoint. Returns undefined if the app does not exist. */
export const findEndpoint = (db: Db, appId: string) =>
  db
    .selectFrom('apps')
    .select([
      'id as appId',
      'deauthorization_url as url',
      'validated_url as validatedUrl',
      'webhook_secret as secret',
      'previous_webhook_secret as previousSecret',
      'previous_webhook_secret_expires_at as previousSecretExpiresAt',
    ])
    .where('id', '=', appId)
    .executeTakeFirst()

/**
 * Finds the production client and the secret of an app that receives removal events: a public app
 * with an endpoint (spec/oauth.md#deauthorization-webhook). Development credentials cause no
 * events.
 */
export const findSubscription = (db: Db, appId: string) =>
  db
    .selectFrom('apps')
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select(['clients.client_id as clientId', 'apps.webhook_secret as secret'])
    .where((eb) => eb.and({ 'apps.id': appId, 'apps.visibility': 'public' }))
    .where('apps.deauthorization_url', 'is not', null)
    .where('clients.environment', '=', 'production')
    .executeTakeFirst()

/** Marks an address as validated, unless the app has another one by now. */
export const markValidated = (trx: Db, appId: string, url: string) =>
  trx
    .updateTable('apps')
    .set({ validated_url: url })
    .where((eb) => eb.and({ id: appId, deauthorization_url: url }))
    .execute()
