import { memberParty, type Party, userParty } from '../audit/record.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { type Bearer, levelsOf, reachesOwnAccount, refuseLevel } from '../platform/bearer.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import { findHead } from '../platform/store/users.ts'
import { isAdmin } from '../platform/users.ts'

/** Who manages apps: a person in the console, or a token of the API. */
export interface Developer {
  readonly accountId: string
  /** Whose apps they are, null where an account token's account has no user. */
  readonly userId: string | null
  /** Who acts: the user, or for an account token the account. */
  readonly actor: Party
  /** Whether all apps of the account, not only the own ones. */
  readonly seesAll: boolean
  /** Whether apps that act for the sub-accounts too: the owner's affair (OAuth spec §2). */
  readonly reachesSubAccounts: boolean
  /**
   * The scopes of a token; absent for a person in the console. No token makes or takes over an app
   * that acts by itself with more scopes than it has.
   */
  readonly scopes?: readonly string[]
}

/** What a user may do with apps: admins and the owner see all of the account. */
export const developerOf = (user: UserRecord): Developer => ({
  accountId: user.accountId,
  userId: user.id,
  actor: userParty(user.id),
  seesAll: isAdmin(user),
  reachesSubAccounts: user.role === 'owner',
})

/**
 * What a token may do with apps: those that its user has made, or with an admin scope all of the
 * account. For an account token the user is the head of the account, as `me` is. Throws
 * insufficient_scope for an account token whose scopes are for sub-accounts alone.
 */
export async function developerOfToken(
  ctx: Pick<OAuthContext, 'db'>,
  bearer: Bearer,
): Promise<Developer> {
  const { accountId } = bearer
  const levels = levelsOf(bearer)
  const reachesSubAccounts = levels.includes('master')
  const seesAll = await reachesOwnAccount(ctx, bearer, levels)
  if (bearer.userId === null && !seesAll && !levels.includes('user')) {
    refuseLevel(bearer, ['user', 'admin'])
  }
  const actor = memberParty(bearer)
  const userId = bearer.userId ?? (await findHead(ctx.db.read, accountId))?.id ?? null
  return { accountId, userId, actor, seesAll, reachesSubAccounts, scopes: bearer.scopes }
}
