import type { Db } from '../../db/open.ts'
import { preparedFirst } from '../../db/prepared.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { userColumns } from './user-record.ts'

/** `expiresAt` is in milliseconds since 1970. */
export async function insertSession(
  trx: Db,
  session: { key: SecretHash; userId: string; expiresAt: number },
): Promise<void> {
  const { key, userId, expiresAt } = session
  await trx.insertInto('sessions').values({ key, user_id: userId, expires_at: expiresAt }).execute()
}

/** Finds the user of a session that has not expired, unless the user is removed or disabled. */
export const findSessionUser = preparedFirst((db, { key, now }: { key: SecretHash; now: number }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(userColumns)
    .where('sessions.key', '=', key)
    .where('sessions.expires_at', '>', now)
    .where('users.removed_at', 'is', null)
    .where('users.disabled_at', 'is', null),
)

export const deleteSession = (trx: Db, key: SecretHash) =>
  trx.deleteFrom('sessions').where('key', '=', key).execute()

export async function deleteSessionsOf(trx: Db, userId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
