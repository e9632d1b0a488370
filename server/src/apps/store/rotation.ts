import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** When a secret is rotated, and until when the one before it stays good, ms since 1970. */
export interface SecretOverlap {
  readonly now: number
  readonly previousExpiresAt: number
}

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

/** Gives a client a new secret. Gives until when one of before is good, ms; nothing without a client. */
export const rotateSecretHash = (
  trx: Db,
  clientId: string,
  secret: SecretHash,
  overlap: SecretOverlap,
): Promise<number | undefined> => rotate(trx, clientSecret, clientId, secret, overlap)

/** Gives an app's webhooks a new secret. Gives until when one of before is used, ms; nothing without an app. */
export const rotateSealedSecret = (
  trx: Db,
  appId: string,
  secret: Sealed,
  overlap: SecretOverlap,
): Promise<number | undefined> => rotate(trx, webhookSecret, appId, secret, overlap)

/** The former secret stays until `previousExpiresAt`; but an older one that is good keeps place and time. */
async function rotate(
  trx: Db,
  place: SecretPlace,
  id: string,
  secret: string,
  { now, previousExpiresAt }: SecretOverlap,
): Promise<number | undefined> {
  const { ref } = sql
  const [current, previous, expiresAt] = [
    ref(place.current),
    ref(place.previous),
    ref(place.expiresAt),
  ]
  const isGoodStill = sql`${expiresAt} > ${now}`
  const { rows } = await sql<{ expires: number }>`
    update ${sql.table(place.table)} set
      ${previous} = case when ${isGoodStill} then ${previous} else ${current} end,
      ${expiresAt} = case when ${isGoodStill} then ${expiresAt}
        else cast(${previousExpiresAt} as bigint) end,
      ${current} = ${secret}
    where ${ref(place.key)} = ${id} returning ${expiresAt} as expires`.execute(trx)
  return rows[0]?.expires
}
