import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../secrets/encryption.ts'

/** Where an app receives its events, and what they are signed with. */
export interface EndpointRecord {
  appId: string
  /** Its deauthorization address. */
  url: string | null
  /** The address that has answered its validation. */
  validatedUrl: string | null
  secret: Sealed
  previousSecret: Sealed | null
  /** Milliseconds since 1970. */
  previousSecretExpiresAt: number | null
}

/** The endpoint of an app; nothing where there is no such app. */
export async function findEndpoint(db: Db, appId: string): Promise<EndpointRecord | undefined> {
  return db
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
}

/** Whom the removals of an app are told to. */
export interface Subscription {
  /** The production client: development credentials tell nobody. */
  clientId: string
  secret: Sealed
}

/** The subscription of an app: public ones that have named an address have one (OAuth spec §6). */
export async function findSubscription(db: Db, appId: string): Promise<Subscription | undefined> {
  return db
    .selectFrom('apps')
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select(['clients.client_id as clientId', 'apps.webhook_secret as secret'])
    .where('apps.id', '=', appId)
    .where('apps.visibility', '=', 'public')
    .where('apps.deauthorization_url', 'is not', null)
    .where('clients.environment', '=', 'production')
    .executeTakeFirst()
}

/** Notes that an address has answered its validation, unless the app has another by now. */
export async function markValidated(trx: Db, appId: string, url: string): Promise<void> {
  await trx
    .updateTable('apps')
    .set({ validated_url: url })
    .where('id', '=', appId)
    .where('deauthorization_url', '=', url)
    .execute()
}
