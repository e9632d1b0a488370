import {
  countDeleted,
  type Db,
  type Fields,
  prepared,
  preparedFirst,
  toRow,
} from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { userColumns } from './users.ts'

/** `expiresAt` is in milliseconds since 1970. */
type NewSession = Fields<'sessions'> & { key: SecretHash }

export const insertSession = prepared((db, session: NewSession) =>
  db
    .insertInto('sessions')
    .values(toRow(session, ['key', 'userId', 'expiresAt', 'network', 'browser'])),
)

/** Lists the sessions of a user that have not expired, the latest first. */
export const listSessionsOf = prepared((db, { userId, now }: { userId: string; now: number }) =>
  db
    .selectFrom('sessions')
    .select(['key', 'expires_at as expiresAt', 'network', 'browser'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc'),
)

/** Finds the user of a session that has not expired, unless the user is removed or disabled. */
export const findSessionUser = preparedFirst((db, { key, now }: { key: SecretHash; now: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(userColumns)
    .where('sessions.key', '=', key)
    .where('sessions.expires_at', '>', now)
    .where((eb) => eb.and({ 'users.removed_at': null, 'users.disabled_at': null })),
)

export const deleteSession = (trx: Db, key: string) =>
  trx.deleteFrom('sessions').where('key', '=', key).execute()

export const deleteSessionsOf = (trx: Db, userId: string): Promise<number> =>
  countDeleted(trx.deleteFrom('sessions').where('user_id', '=', userId))
