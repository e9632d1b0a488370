import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

const fields = [
  'clientId',
  'redirectUri',
  'state',
  'scopes',
  'optionalScopes',
  'resource',
  'codeChallenge',
  'codeChallengeMethod',
] as const

export type ConsentRequest = Pick<Fields<'consent_requests'>, (typeof fields)[number]>

/** Stores a request. Only the given session can decide it. */
export async function insertConsentRequest(
  trx: Db,
  request: ConsentRequest & { key: SecretHash; sessionKey: string; expiresAt: number },
): Promise<void> {
  await trx
    .insertInto('consent_requests')
    .values(toRow(request, ['key', 'sessionKey', 'expiresAt', ...fields]))
    .execute()
}

export async function findConsentRequest(
  db: Db,
  { key, sessionKey, now }: { key: SecretHash; sessionKey: string; now: number },
): Promise<ConsentRequest | undefined> {
  return db
    .selectFrom('consent_requests')
    .select(columnsOf('consent_requests', fields))
    .where('key', '=', key)
    .where('session_key', '=', sessionKey)
    .where('decided_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Marks a request as decided. Returns false if another call decided it first. */
export async function takeConsentRequest(
  trx: Db,
  { key, now }: { key: SecretHash; now: number },
): Promise<boolean> {
  const taken = await trx
    .updateTable('consent_requests')
    .set({ decided_at: now })
    .where('key', '=', key)
    .where('decided_at', 'is', null)
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}
