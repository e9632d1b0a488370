import type { Decider } from '../oauth/approvals.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { type Bearer, levelsOf, reachesOwnAccount, refuseLevel } from '../platform/bearer.ts'

/**
 * Who decides by a token: its user, or the account. Throws insufficient_scope where no scope of it
 * reaches the account: its user is no admin any more, or its scopes are for sub-accounts.
 */
export async function deciderOf(ctx: Pick<OAuthContext, 'db'>, bearer: Bearer): Promise<Decider> {
  const levels = levelsOf(bearer)
  if (!(await reachesOwnAccount(ctx, bearer, levels))) {
    refuseLevel(bearer, ['admin'])
  }
  return { accountId: bearer.accountId, id: bearer.userId, role: bearer.role }
}
