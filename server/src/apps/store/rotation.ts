import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** Replaces a client secret. The previous one is valid until `previousEnd` (ms) if not null. */
export const updateClientSecret = (
  trx: Db,
  clientId: string,
  secret: SecretHash,
  previousEnd: number | null,
) =>
  trx
    .updateTable('clients')
    .set((eb) => ({
      secret_hash: secret,
      previous_secret_hash: previousEnd === null ? null : eb.ref('secret_hash'),
      previous_secret_expires_at: previousEnd,
    }))
    .where('client_id', '=', clientId)
    .execute()

/** Replaces a webhook secret, like `updateClientSecret`. */
export const updateWebhookSecret = (
  trx: Db,
  appId: string,
  secret: Sealed,
  previousEnd: number | null,
) =>
  trx
    .updateTable('apps')
    .set((eb) => ({
      webhook_secret: secret,
      previous_webhook_secret: previousEnd === null ? null : eb.ref('webhook_secret'),
      previous_webhook_secret_expires_at: previousEnd,
    }))
    .where('id', '=', appId)
    .execute()
