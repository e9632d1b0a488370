import { columnsOf, rowOf } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { EndReason } from '../../db/schema.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** How a code challenge is compared with its verifier (RFC 7636 §4.2). */
export type ChallengeMethod = 'S256' | 'plain'

const fields = [
  'clientId',
  'userId',
  'redirectUri',
  'scopes',
  'codeChallenge',
  'codeChallengeMethod',
  'expiresAt',
] as const

/** An authorization code that is about to be kept. */
export type NewAuthorizationCode = {
  key: SecretHash
  clientId: string
  userId: string
  redirectUri: string
  /** Space-separated. */
  scopes: string
  codeChallenge: string | null
  codeChallengeMethod: ChallengeMethod | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** A code with its user. Times are milliseconds. */
export interface AuthorizationCode extends Omit<NewAuthorizationCode, 'key'> {
  key: string
  accountId: string
  userExists: boolean
  usedAt: number | null
  endReason: EndReason | null
  /** The grant that was made from it. */
  grantId: string | null
}

/** Keeps a new code by its hash. */
export const insertAuthorizationCode = prepared((db, code: NewAuthorizationCode) =>
  db.insertInto('authorization_codes').values({
    ...rowOf(code, 'key', ...fields),
    used_at: null,
    end_reason: null,
    grant_id: null,
  }),
)

/** The code of a hash, whatever its state. */
export async function findAuthorizationCode(
  db: Db,
  key: SecretHash,
): Promise<AuthorizationCode | undefined> {
  const [row] = await byKey(db, { key })
  if (!row) return undefined
  const { removedAt, ...rest } = row
  return { ...rest, key, userExists: removedAt === null }
}

const byKey = prepared((db, { key }: { key: string }) =>
  db
    .selectFrom('authorization_codes as codes')
    .innerJoin('users', 'users.id', 'codes.user_id')
    .select([
      ...columnsOf('codes', ...fields, 'usedAt', 'endReason', 'grantId'),
      ...columnsOf('users', 'accountId', 'removedAt'),
    ])
    .where('codes.key', '=', key),
)

/**
 * Uses a code up, for the grant that is made from it or for none where the exchange was refused;
 * false when somebody else was first, or it has come to an end.
 */
export async function useAuthorizationCode(
  trx: Db,
  use: { key: string; now: number; grantId: string | null },
): Promise<boolean> {
  const rows = await markUsed(trx, use)
  return rows.length === 1
}

const markUsed = prepared((db, use: { key: string; now: number; grantId: string | null }) =>
  db
    .updateTable('authorization_codes')
    .set({ used_at: use.now, grant_id: use.grantId })
    .where('key', '=', use.key)
    .where('used_at', 'is', null)
    .where('end_reason', 'is', null)
    .returning('key'),
)
