import { type Db, hasRow, isPostgres, toRow } from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { isGrantUsable } from '../oauth/grants.ts'
import { type UserRecord, userColumns } from './users.ts'

/** A `zak` starts meetings of the user. A `token` joins meetings as the user. */
export type MeetingTokenType = Schema['meeting_tokens']['type']

export interface MeetingTokenMaker {
  readonly key: string
  readonly clientId: string
  /** Null for account tokens. */
  readonly grantId: string | null
}

export const insertMeetingToken = (
  trx: Db,
  token: { key: SecretHash; userId: string; type: MeetingTokenType; expiresAt: number },
  by: MeetingTokenMaker,
) =>
  trx
    .insertInto('meeting_tokens')
    .values({
      ...toRow(token, ['key', 'userId', 'type', 'expiresAt']),
      client_id: by.clientId,
      grant_id: by.grantId,
      access_token_key: by.grantId === null ? by.key : null,
    })
    .execute()

/**
 * Whether an account token is not revoked. Locks it, so that a concurrent revocation waits and then
 * also ends the meeting token made in this transaction.
 */
export async function lockAccessToken(trx: Db, key: string): Promise<boolean> {
  const query = trx
    .selectFrom('access_tokens')
    .select('key')
    .where((eb) => eb.and({ key, revoked_at: null }))
  return hasRow(isPostgres(trx) ? query.forShare() : query)
}

export const deleteMeetingTokensOf = (trx: Db, accessTokenKey: string) =>
  trx.deleteFrom('meeting_tokens').where('access_token_key', '=', accessTokenKey).execute()

/**
 * Finds the user of a meeting token that is valid at `now` (ms), unless removed or disabled. The
 * token is valid only while the app, the grant, the granting user and that user's role (see
 * `bearer.ts`) allow it.
 */
export const findUserOfMeetingToken = (
  db: Db,
  key: SecretHash,
  type: MeetingTokenType,
  now: number,
): Promise<UserRecord | undefined> =>
  db
    .selectFrom('meeting_tokens')
    .innerJoin('users', 'users.id', 'meeting_tokens.user_id')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .innerJoin('clients', 'clients.client_id', 'meeting_tokens.client_id')
    .innerJoin('apps', 'apps.id', 'clients.app_id')
    .leftJoin('grants', 'grants.id', 'meeting_tokens.grant_id')
    .leftJoin('users as granter', 'granter.id', 'grants.user_id')
    .select(userColumns)
    .where((eb) => eb.and({ 'meeting_tokens.key': key, 'meeting_tokens.type': type }))
    .where('meeting_tokens.expires_at', '>', now)
    .where('users.removed_at', 'is', null)
    .where((eb) => eb.and({ 'users.disabled_at': null, 'apps.disabled_at': null }))
    .where((eb) =>
      eb.or([
        eb('meeting_tokens.grant_id', 'is', null),
        eb.and([
          isGrantUsable(),
          eb.or([
            eb('granter.id', '=', eb.ref('users.id')),
            eb.and([
              eb('granter.account_id', '=', eb.ref('users.account_id')),
              eb('granter.role', '!=', 'member'),
            ]),
            eb.and([
              eb('granter.account_id', '=', eb.ref('accounts.master_account_id')),
              eb('granter.role', '=', 'owner'),
            ]),
          ]),
        ]),
      ]),
    )
    .executeTakeFirst()
