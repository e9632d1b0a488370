import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** Where the secret of a client and that of an app's webhooks are kept, each with the one before it. */
const places = {
  client: {
    table: 'clients',
    key: 'client_id',
    secret: 'secret_hash',
    end: 'previous_secret_expires_at',
  },
  webhook: {
    table: 'apps',
    key: 'id',
    secret: 'webhook_secret',
    end: 'previous_webhook_secret_expires_at',
  },
} as const

/**
 * Keeps a new secret of a client or of an app's webhooks. The former one is good until `previousExpiresAt`
 * (ms); null ends it now.
 */
export async function rotateSecret(
  trx: Db,
  of: keyof typeof places,
  { id, secret }: { id: string; secret: SecretHash | Sealed },
  previousExpiresAt: number | null,
): Promise<void> {
  const place = places[of]
  const [key, current] = [sql.ref(place.key), sql.ref(place.secret)]
  await sql`
    update ${sql.table(place.table)} set
      ${sql.ref(`previous_${place.secret}`)} = ${previousExpiresAt === null ? sql`null` : current},
      ${sql.ref(place.end)} = ${previousExpiresAt},
      ${current} = ${secret}
    where ${key} = ${id}`.execute(trx)
}
