import { parseScopes } from '@skillpass/contract'
import { columnsOf, type Db, type Fields, prepared, preparedFirst, toRow } from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { accessFields } from './grants.ts'

const fields = [...accessFields, 'grantId', 'expiresAt'] as const

export type NewAccessToken = Pick<Fields<'access_tokens'>, (typeof fields)[number]> & {
  key: SecretHash
}

export const insertAccessToken = prepared((db, token: NewAccessToken) =>
  db.insertInto('access_tokens').values(toRow(token, ['key', ...fields])),
)

/** Finds an access token in any state, with the state of its grant, user and app. */
export async function findAccessToken(db: Db, key: SecretHash) {
  const row = await byKey(db, { key })
  if (!row) return undefined
  const { scopes, revokedAt, existingGrantId, endedAt, removedAt, userDisabledAt, ...others } = row
  const { visibility, appAccountId, disabledAt, ...rest } = others
  const ownerRemoved = removedAt !== null || userDisabledAt !== null
  // A token whose grant was deleted is invalid.
  const isOrphan = rest.grantId !== existingGrantId
  return {
    ...rest,
    key,
    scopes: parseScopes(scopes),
    ownerRemoved,
    ended: isOrphan || revokedAt !== null || endedAt !== null || ownerRemoved,
    /** Whether the app has become private and the user belongs to another account. */
    unavailable:
      rest.grantId !== null && rest.accountId !== appAccountId && visibility !== 'public',
    disabled: disabledAt !== null,
  }
}

const byKey = preparedFirst((db, { key }: { key: string }) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('clients', 'clients.client_id', 'access_tokens.client_id')
    .innerJoin('apps', 'apps.id', 'clients.app_id')
    .leftJoin('grants', 'grants.id', 'access_tokens.grant_id')
    .leftJoin('users', 'users.id', 'access_tokens.user_id')
    .select([
      'clients.app_id as appId',
      ...columnsOf('access_tokens', [...fields, 'revokedAt']),
      'grants.id as existingGrantId',
      'grants.ended_at as endedAt',
      ...columnsOf('users', ['role', 'removedAt']),
      'users.disabled_at as userDisabledAt',
      ...columnsOf('apps', ['disabledAt', 'visibility']),
      'apps.account_id as appAccountId',
    ])
    .where('access_tokens.key', '=', key),
)

/** Revokes a token that has no grant. The time of the first revocation is kept. */
export const revokeAccessToken = (trx: Db, key: string, now: number) =>
  trx
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where((eb) => eb.and({ key, revoked_at: null }))
    .execute()

/**
 * Revokes an app's active tokens that have no grant, and deletes the meeting tokens made with them.
 * Returns the number of tokens.
 */
export async function revokeOwnTokensOfApp(trx: Db, appId: string, now: number): Promise<number> {
  const clients = trx.selectFrom('clients').select('client_id').where('app_id', '=', appId)
  const rows = await trx
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('client_id', 'in', clients)
    .where((eb) => eb.and({ grant_id: null, revoked_at: null }))
    .where('expires_at', '>', now)
    .returning('key')
    .execute()
  // Delete by client, to include meeting tokens of access tokens that have expired.
  const made = trx.deleteFrom('meeting_tokens').where('client_id', 'in', clients)
  await made.where('grant_id', 'is', null).execute()
  return rows.length
}

export const insertRefreshToken = prepared(
  (db, token: { key: SecretHash; grantId: string; expiresAt: number }) =>
    db.insertInto('refresh_tokens').values(toRow(token, ['key', 'grantId', 'expiresAt'])),
)

export type RefreshToken = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>

export async function findRefreshToken(db: Db, key: SecretHash) {
  const row = await refreshTokenByKey(db, { key })
  if (!row) return undefined
  const { removedAt, disabledAt, ...rest } = row
  return { ...rest, key, userExists: removedAt === null && disabledAt === null }
}

const refreshTokenByKey = preparedFirst((db, { key }: { key: string }) =>
  db
    .selectFrom('refresh_tokens')
    .innerJoin('grants', 'grants.id', 'refresh_tokens.grant_id')
    .innerJoin('users', 'users.id', 'grants.user_id')
    .select([
      ...columnsOf('refresh_tokens', ['expiresAt', 'usedAt', 'successorSalt']),
      'grants.id as grantId',
      ...columnsOf('grants', [...accessFields, 'endReason']),
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
      .where((eb) => eb.and({ key: use.key, used_at: null }))
      .returning('key'),
)
