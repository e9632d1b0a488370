import { countDeleted, type Db, prepared, preparedFirst, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { userColumns } from './users.ts'

/** `expiresAt` is in milliseconds since 1970. */
export const insertSession = prepared(
  (db, session: { key: SecretHash; userId: string; expiresAt: number }) =>
    db.insertInto('sessions').values(toRow(session, ['key', 'userId', 'expiresAt'])),
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

export const deleteSession = (trx: Db, key: SecretHash) =>
  trx.deleteFrom('sessions').where('key', '=', key).execute()

export const deleteSessionsOf = (trx: Db, userId: string): Promise<number> =>
  countDeleted(trx.deleteFrom('sessions').where('user_id', '=', userId))
