import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

const fields = [
  'clientId',
  'redirectUri',
  'state',
  'scopes',
  'optionalScopes',
  'codeChallenge',
  'codeChallengeMethod',
] as const

/** An authorization request that waits on the consent page for its user. */
export type ConsentRequest = Pick<Fields<'consent_requests'>, (typeof fields)[number]>

/** A request that is about to be shown, in the session that alone may decide. */
export type NewConsentRequest = ConsentRequest &
  Pick<Fields<'consent_requests'>, 'sessionKey' | 'expiresAt'> & { key: SecretHash }

/** Keeps a request until its user decides. */
export async function insertConsentRequest(trx: Db, request: NewConsentRequest): Promise<void> {
  await trx
    .insertInto('consent_requests')
    .values(toRow(request, ['key', 'sessionKey', 'expiresAt', ...fields]))
    .execute()
}

/** A page that was shown in a session, at a time (ms). */
interface ShownPage {
  key: SecretHash
  sessionKey: string
  now: number
}

/** The request of a page; nothing when it is decided, too old or of another session. */
export async function findConsentRequest(
  db: Db,
  { key, sessionKey, now }: ShownPage,
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

/** Takes a request for its one decision; false when another was faster. */
export async function takeConsentRequest(
  trx: Db,
  { key, now }: Pick<ShownPage, 'key' | 'now'>,
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
