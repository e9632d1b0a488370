import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** Where a secret and the one before it are kept. */
interface SecretPlace {
  readonly table: string
  readonly key: string
  readonly current: string
  readonly previous: string
  readonly expiresAt: string
}

const clientSecret: SecretPlace = {
  table: 'clients',
  key: 'client_id',
  current: 'secret_hash',
  previous: 'previous_secret_hash',
  expiresAt: 'previous_secret_expires_at',
}

const webhookSecret: SecretPlace = {
  table: 'apps',
  key: 'id',
  current: 'webhook_secret',
  previous: 'previous_webhook_secret',
  expiresAt: 'previous_webhook_secret_expires_at',
}

/**
 * Gives a client a new secret. The former one is good until `previousExpiresAt`, ms; null ends it now.
 * False without a client.
 */
export const rotateSecretHash = (
  trx: Db,
  clientId: string,
  secret: SecretHash,
  previousExpiresAt: number | null,
): Promise<boolean> => rotate(trx, clientSecret, clientId, secret, previousExpiresAt)

/** Gives an app's webhooks a new secret, as `rotateSecretHash` does for a client. */
export const rotateSealedSecret = (
  trx: Db,
  appId: string,
  secret: Sealed,
  previousExpiresAt: number | null,
): Promise<boolean> => rotate(trx, webhookSecret, appId, secret, previousExpiresAt)

async function rotate(
  trx: Db,
  place: SecretPlace,
  id: string,
  secret: string,
  previousExpiresAt: number | null,
): Promise<boolean> {
  const { ref } = sql
  const previous = previousExpiresAt === null ? sql`null` : ref(place.current)
  const { rows } = await sql`
    update ${sql.table(place.table)} set
      ${ref(place.previous)} = ${previous},
      ${ref(place.expiresAt)} = ${previousExpiresAt},
      ${ref(place.current)} = ${secret}
    where ${ref(place.key)} = ${id} returning ${ref(place.key)}`.execute(trx)
  return rows.length > 0
}
