import {
  openingScopes,
  type ScopeLevel,
  type ScopeRequirement,
  scopeLevel,
} from '@skillpass/contract'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { findAccount } from './store/accounts.ts'
import { findHead, findUser, type Role, type UserRecord } from './store/users.ts'

/** Whose data an access token opens. */
export interface Bearer {
  /** Null for account tokens, whose `me` is the head of the account. */
  readonly userId: string | null
  readonly accountId: string
  /** Null for account tokens: the app's owner has decided what they reach. */
  readonly role: Role | null
  readonly scopes: readonly string[]
}

/**
 * The user that a path names, where the bearer's scopes reach that far: the own one with any scope
 * of the route, another of the account with an admin one, of a sub-account with a master one
 * (OAuth spec §2). Throws insufficient_scope, user_not_found.
 */
export async function findVisibleUser(
  ctx: Pick<Context, 'db'>,
  bearer: Bearer,
  name: string,
  requirement: ScopeRequirement,
): Promise<UserRecord> {
  if (name === 'me') return (await findSelf(ctx, bearer)) ?? fail('user_not_found')
  // Postgres refuses NUL, and no id holds it.
  const user = name.includes('\0') ? undefined : await findUser(ctx.db.read, name)
  if (user && user.id === bearer.userId) return user
  const levels = levelsOf(bearer, requirement)
  if (!levels.includes('admin') && !levels.includes('master')) {
    fail('insufficient_scope', 'Another user needs a scope that ends in :admin or :master.')
  }
  const isReached = user !== undefined && (await reaches(ctx, bearer, levels, user.accountId))
  return isReached ? user : fail('user_not_found')
}

const findSelf = ({ db }: Pick<Context, 'db'>, { userId, accountId }: Bearer) =>
  userId === null ? findHead(db.read, accountId) : findUser(db.read, userId)

/** Whether scopes of these levels open the users of an account. */
async function reaches(
  { db }: Pick<Context, 'db'>,
  bearer: Bearer,
  levels: readonly ScopeLevel[],
  accountId: string,
): Promise<boolean> {
  const isOwn = accountId === bearer.accountId
  if (isOwn && levels.includes('admin')) return true
  if (!levels.includes('master')) return false
  const account = await findAccount(db.read, accountId)
  // A master account's app may hold a token for the sub-account itself.
  if (isOwn) return bearer.userId === null && account?.masterAccountId != null
  return account?.masterAccountId === bearer.accountId
}

/** How far the bearer's scopes reach. Who is no admin by now reaches no further than the own data. */
function levelsOf({ role, scopes }: Bearer, requirement: ScopeRequirement): ScopeLevel[] {
  const opening = openingScopes(requirement)
  const levels = scopes.filter((scope) => opening.includes(scope)).map(scopeLevel)
  if (role === null || role === 'owner') return levels
  return levels.filter((level) => level === 'user' || (level === 'admin' && role === 'admin'))
}
