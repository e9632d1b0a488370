import { parseScopes } from '@skillpass/contract'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared, preparedFirst } from '../../db/prepared.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

const fields = [
  'clientId',
  'grantId',
  'accountId',
  'userId',
  'scopes',
  'resource',
  'expiresAt',
] as const

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
      'apps.disabled_at as disabledAt',
      'apps.account_id as appAccountId',
      'apps.visibility as visibility',
    ])
    .where('access_tokens.key', '=', key),
)

/** Revokes a token that has no grant. The time of the first revocation is kept. */
export const revokeAccessToken = (trx: Db, key: string, now: number) =>
  trx
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('key', '=', key)
    .where('revoked_at', 'is', null)
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
    .where('grant_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('key')
    .execute()
  // Delete by client, to include meeting tokens of access tokens that have expired.
  await trx
    .deleteFrom('meeting_tokens')
    .where('client_id', 'in', clients)
    .where('grant_id', 'is', null)
    .execute()
  return rows.length
}
