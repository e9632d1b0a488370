import type { Db } from '../../db/open.ts'
import type { MeetingTokenTable } from '../../db/schema.ts'
import type { SecretHash } from '../../secrets.ts'
import { type UserRecord, userColumns } from './users.ts'

/** What a meeting token is for: `zak` starts meetings of the user, `token` joins as the user. */
export type MeetingTokenType = MeetingTokenTable['type']

/** The app that asked for a meeting token, by the grant of a user or by an account token. */
export interface MeetingTokenMaker {
  readonly clientId: string
  /** Null for account tokens. */
  readonly grantId: string | null
}

/** A meeting token that is about to be kept. */
export interface NewMeetingToken {
  readonly key: SecretHash
  readonly userId: string
  readonly type: MeetingTokenType
  readonly by: MeetingTokenMaker
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Keeps a new token by its hash. */
export async function insertMeetingToken(trx: Db, token: NewMeetingToken): Promise<void> {
  await trx
    .insertInto('meeting_tokens')
    .values({
      key: token.key,
      user_id: token.userId,
      type: token.type,
      client_id: token.by.clientId,
      grant_id: token.by.grantId,
      expires_at: token.expiresAt,
    })
    .execute()
}

/**
 * The user of a token of this type that is alive at `now` (ms), unless removed. A token lives no
 * longer than the app may act for who let it: it hangs on the app, the grant and the grant's user.
 */
export async function findUserOfMeetingToken(
  db: Db,
  key: SecretHash,
  type: MeetingTokenType,
  now: number,
): Promise<UserRecord | undefined> {
  return db
    .selectFrom('meeting_tokens')
    .innerJoin('users', 'users.id', 'meeting_tokens.user_id')
    .innerJoin('clients', 'clients.client_id', 'meeting_tokens.client_id')
    .innerJoin('apps', 'apps.id', 'clients.app_id')
    .leftJoin('grants', 'grants.id', 'meeting_tokens.grant_id')
    .leftJoin('users as granter', 'granter.id', 'grants.user_id')
    .select(userColumns)
    .where('meeting_tokens.key', '=', key)
    .where('meeting_tokens.type', '=', type)
    .where('meeting_tokens.expires_at', '>', now)
    .where('users.removed_at', 'is', null)
    .where('apps.disabled_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('meeting_tokens.grant_id', 'is', null),
        eb.and([
          // Nothing is good of a grant that is not there.
          eb('granter.id', 'is not', null),
          eb('grants.ended_at', 'is', null),
          eb('granter.removed_at', 'is', null),
        ]),
      ]),
    )
    .executeTakeFirst()
}

/** Removes up to `limit` tokens that have expired before `now` (ms); gives how many. */
export async function purgeMeetingTokens(trx: Db, now: number, limit: number): Promise<number> {
  const expired = trx
    .selectFrom('meeting_tokens')
    .select('key')
    .where('expires_at', '<', now)
    .orderBy('expires_at')
    .limit(limit)
  const { numDeletedRows } = await trx
    .deleteFrom('meeting_tokens')
    .where('key', 'in', expired)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
