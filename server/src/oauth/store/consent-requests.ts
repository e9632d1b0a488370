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
export const insertConsentRequest = (
  trx: Db,
  request: ConsentRequest & { key: SecretHash; sessionKey: string; expiresAt: number },
) =>
  trx
    .insertInto('consent_requests')
    .values(toRow(request, ['key', 'sessionKey', 'expiresAt', ...fields]))
    .execute()

export const findConsentRequest = (
  db: Db,
  { key, sessionKey, now }: { key: SecretHash; sessionKey: string; now: number },
) =>
  db
    .selectFrom('consent_requests')
    .select(columnsOf('consent_requests', fields))
    .where('key', '=', key)
    .where('session_key', '=', sessionKey)
    .where('decided_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Marks a request as decided. Returns undefined if another call decided it first. */
export const takeConsentRequest = (trx: Db, { key, now }: { key: SecretHash; now: number }) =>
  trx
    .updateTable('consent_requests')
    .set({ decided_at: now })
    .where('key', '=', key)
    .where('decided_at', 'is', null)
    .returning('key')
    .executeTakeFirst()
