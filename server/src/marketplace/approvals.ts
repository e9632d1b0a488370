import type { ScopeRequirement } from '@skillpass/contract'
import { fail } from '../errors.ts'
import type { Decider } from '../oauth/approvals.ts'
import { type Bearer, levelsOf, reachOthers } from '../platform/bearer.ts'

/**
 * Who decides by a token: its user, or the account. Throws insufficient_scope where no scope of it
 * reaches the account, as when its user is no admin any more.
 */
export function deciderOf(bearer: Bearer, requirement: ScopeRequirement): Decider {
  const levels = levelsOf(bearer, requirement)
  if (!reachOthers(levels)) {
    fail('insufficient_scope', 'The user of this token does not decide for the account any more.')
  }
  return { accountId: bearer.accountId, id: bearer.userId, role: bearer.role }
}
