import type { Db } from '../../db/open.ts'

/** Where an app receives its events, and what they are signed with. */
export type EndpointRecord = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>

/** The endpoint of an app; nothing where there is no such app. */
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
 * The production client and the secret of an app whose removals are told: public ones that have named an
 * address (OAuth spec §6). Development credentials tell nobody.
 */
export const findSubscription = (db: Db, appId: string) =>
  db
    .selectFrom('apps')
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select(['clients.client_id as clientId', 'apps.webhook_secret as secret'])
    .where('apps.id', '=', appId)
    .where('apps.visibility', '=', 'public')
    .where('apps.deauthorization_url', 'is not', null)
    .where('clients.environment', '=', 'production')
    .executeTakeFirst()

/** Notes that an address has answered its validation, unless the app has another by now. */
export async function markValidated(trx: Db, appId: string, url: string): Promise<void> {
  await trx
    .updateTable('apps')
    .set({ validated_url: url })
    .where('id', '=', appId)
    .where('deauthorization_url', '=', url)
    .execute()
}
