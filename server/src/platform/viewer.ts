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
export interface Viewer {
  /** Null for account tokens, whose `me` is the head of the account. */
  readonly userId: string | null
  readonly accountId: string
  /** Null for account tokens: the app's owner has decided what they reach. */
  readonly role: Role | null
  readonly scopes: readonly string[]
}

/**
 * The user that a path names, where the viewer's scopes reach that far: the own one with any scope
 * of the route, another of the account with an admin one, of a sub-account with a master one
 * (OAuth spec §2). Throws insufficient_scope, user_not_found.
 */
export async function findVisibleUser(
  ctx: Pick<Context, 'db'>,
  viewer: Viewer,
  name: string,
  requirement: ScopeRequirement,
): Promise<UserRecord> {
  const me = viewer.userId ?? (await findHead(ctx.db.read, viewer.accountId))?.id
  if (name === 'me' || name === me) {
    return (me && (await findUser(ctx.db.read, me))) || fail('user_not_found')
  }
  const levels = levelsOf(viewer, requirement)
  if (!levels.includes('admin') && !levels.includes('master')) {
    fail('insufficient_scope', 'Another user than me needs a scope that ends in :admin.')
  }
  // Postgres refuses NUL, and no id holds it.
  const user = name.includes('\0') ? undefined : await findUser(ctx.db.read, name)
  if (!user) return fail('user_not_found')
  if (user.accountId === viewer.accountId && levels.includes('admin')) return user
  const account = await findAccount(ctx.db.read, user.accountId)
  const isSub = account?.masterAccountId === viewer.accountId
  return isSub && levels.includes('master') ? user : fail('user_not_found')
}

/** How far the viewer's scopes reach. Who is no admin by now reaches no further than the own data. */
function levelsOf({ role, scopes }: Viewer, requirement: ScopeRequirement): ScopeLevel[] {
  const opening = openingScopes(requirement)
  const levels = scopes.filter((scope) => opening.includes(scope)).map(scopeLevel)
  if (role === null || role === 'owner') return levels
  return levels.filter((level) => level === 'user' || (level === 'admin' && role === 'admin'))
}
