import { columnsOf, type Db, type Fields, prepared, preparedFirst, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** How a code challenge is compared with its verifier (RFC 7636 §4.2). */
export type ChallengeMethod = NonNullable<Fields<'authorization_codes'>['codeChallengeMethod']>

/** Fields of an authorization request, which its code keeps. */
export const requestFields = [
  ...(['clientId', 'redirectUri', 'scopes', 'resource'] as const),
  ...(['codeChallenge', 'codeChallengeMethod'] as const),
] as const

const fields = ['userId', 'expiresAt', ...requestFields] as const

type NewAuthorizationCode = Pick<Fields<'authorization_codes'>, (typeof fields)[number]> & {
  key: SecretHash
}

export const insertAuthorizationCode = prepared((db, code: NewAuthorizationCode) =>
  db.insertInto('authorization_codes').values(toRow(code, ['key', ...fields])),
)

export type AuthorizationCode = NonNullable<Awaited<ReturnType<typeof findAuthorizationCode>>>

export async function findAuthorizationCode(db: Db, key: SecretHash) {
  const row = await byKey(db, { key })
  if (!row) return undefined
  const { removedAt, disabledAt, ...rest } = row
  return { ...rest, key, userExists: removedAt === null && disabledAt === null }
}

const byKey = preparedFirst((db, { key }: { key: string }) =>
  db
    .selectFrom('authorization_codes')
    .innerJoin('users', 'users.id', 'authorization_codes.user_id')
    .select([
      ...columnsOf('authorization_codes', [...fields, 'usedAt', 'endReason', 'grantId']),
      ...columnsOf('users', ['accountId', 'role', 'removedAt', 'disabledAt']),
    ])
    .where('authorization_codes.key', '=', key),
)

/**
 * Marks a code as used, with the id of the grant created from it, or null if the exchange was
 * refused. Returns undefined if another request used it first or its access has ended.
 */
export const useAuthorizationCode = preparedFirst(
  (db, use: { key: string; now: number; grantId: string | null }) =>
    db
      .updateTable('authorization_codes')
      .set({ used_at: use.now, grant_id: use.grantId })
      .where((eb) => eb.and({ key: use.key, used_at: null, end_reason: null }))
      .returning('key'),
)

/** Returns the codes of a user that can still be exchanged, with their apps. */
export const listUnusedCodes = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('authorization_codes')
    .innerJoin('clients', 'clients.client_id', 'authorization_codes.client_id')
    .innerJoin('apps', 'apps.id', 'clients.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .select(['apps.id as appId', 'apps.name', 'accounts.name as accountName'])
    .select(['authorization_codes.expires_at as expiresAt', 'authorization_codes.scopes'])
    .where((eb) => eb.and({ user_id: userId, used_at: null, end_reason: null }))
    .where('authorization_codes.expires_at', '>', now)
    .execute()
