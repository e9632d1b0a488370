import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { requestFields } from './authorization-codes.ts'

const consentFields = ['state', 'optionalScopes', ...requestFields] as const

export type ConsentRequest = Pick<Fields<'consent_requests'>, (typeof consentFields)[number]>

/** Stores a request. Only the given session can decide it. */
export const insertConsentRequest = (
  trx: Db,
  request: ConsentRequest & { key: SecretHash; sessionKey: string; expiresAt: number },
) =>
  trx
    .insertInto('consent_requests')
    .values(toRow(request, ['key', 'sessionKey', 'expiresAt', ...consentFields]))
    .execute()

export const findConsentRequest = (
  db: Db,
  { key, sessionKey, now }: { key: SecretHash; sessionKey: string; now: number },
) =>
  db
    .selectFrom('consent_requests')
    .select(columnsOf('consent_requests', consentFields))
    .where((eb) => eb.and({ key, session_key: sessionKey, decided_at: null }))
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Marks a request as decided. Returns undefined if another call decided it first. */
export const takeConsentRequest = (trx: Db, { key, now }: { key: SecretHash; now: number }) =>
  trx
    .updateTable('consent_requests')
    .set({ decided_at: now })
    .where((eb) => eb.and({ key, decided_at: null }))
    .returning('key')
    .executeTakeFirst()
