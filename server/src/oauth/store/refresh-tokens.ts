import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared, preparedFirst } from '../../db/prepared.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

type NewRefreshToken = Pick<Fields<'refresh_tokens'>, 'grantId' | 'expiresAt'> & {
  key: SecretHash
}

export const insertRefreshToken = prepared((db, token: NewRefreshToken) =>
  db.insertInto('refresh_tokens').values(toRow(token, ['key', 'grantId', 'expiresAt'])),
)

export type RefreshToken = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>

export async function findRefreshToken(db: Db, key: SecretHash) {
  const row = await byKey(db, { key })
  if (!row) return undefined
  const { removedAt, disabledAt, ...rest } = row
  return { ...rest, key, userExists: removedAt === null && disabledAt === null }
}

const byKey = preparedFirst((db, { key }: { key: string }) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('grants', 'grants.id', 'refresh_tokens.grant_id')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .select([
      ...columnsOf('refresh_tokens', ['expiresAt', 'usedAt', 'successorSalt']),
      'grants.id as grantId',
      ...columnsOf('grants', [
        'clientId',
        'accountId',
        'userId',
        'scopes',
        'resource',
        'endReason',
      ]),
      ...columnsOf('users', ['role', 'removedAt', 'disabledAt']),
    ])
    .where('refresh_tokens.key', '=', key),
)

/** Marks a refresh token as used. Returns undefined if another request used it first. */
export const useRefreshToken = preparedFirst(
  (db, use: { key: string; now: number; successorSalt: string | null }) =>
    db
      .updateTable('refresh_tokens')
      .set({ used_at: use.now, successor_salt: use.successorSalt })
      .where('key', '=', use.key)
      .where('used_at', 'is', null)
      .returning('key'),
)
