import {
  isStorable,
  openingScopes,
  type ScopeLevel,
  type ScopeRequirement,
  scopeLevel,
} from '@skillpass/contract'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { type AccountRecord, findAccount } from '../store/platform/accounts.ts'
import {
  findActingOwner,
  findUser,
  findUserInAccountTree,
  type Role,
  type UserRecord,
} from '../store/platform/users.ts'

/** The owner of an access token and the scopes of the requested route. */
export interface Bearer {
  /** Null for account tokens, for which `me` is the acting owner of the account. */
  readonly userId: string | null
  readonly accountId: string
  /** Null for account tokens, which are not limited by a role. */
  readonly role: Role | null
  readonly scopes: readonly string[]
  /** Scopes that give access to the requested route. */
  readonly requirement: ScopeRequirement
}

/**
 * Finds the user that a path names by `me`, id or email. Any scope of the route gives access to the
 * token's user, an admin scope to users of the account, and a master scope to users of sub-accounts
 * (spec/oauth.md#scopes). Throws insufficient_scope, user_not_found.
 */
export async function findVisibleUser(ctx: Context, bearer: Bearer, name: string) {
  const user = await findNamed(ctx, bearer, name)
  const isSelf = name === 'me' || (user !== undefined && user.id === bearer.userId)
  if (isSelf && bearer.requirement.from === undefined) return user ?? fail('user_not_found')
  if (!reachesOthers(levelsOf(bearer))) refuseLevel(bearer, ['admin', 'master'])
  const isReached = user !== undefined && (await reachesAccount(ctx, bearer, user.accountId))
  return isReached ? user : fail('user_not_found')
}

/**
 * Finds an account that the scopes give full access to (spec/oauth.md#scopes). Without a master
 * scope, all other ids get the same error, so that a caller cannot find out which accounts exist.
 * Throws insufficient_scope, user_not_found.
 */
export async function findVisibleAccount(
  ctx: Context,
  bearer: Bearer,
  id = bearer.accountId,
): Promise<AccountRecord> {
  const levels = levelsOf(bearer)
  const account = await findAccount(ctx.db.read, id)
  if (account && levelsReach(bearer, levels, account)) return account
  if (id !== bearer.accountId && levels.includes('master')) {
    fail('user_not_found', 'There is no such sub-account.')
  }
  return refuseLevel(bearer, [id === bearer.accountId ? 'admin' : 'master'])
}

/** Lists the sufficient scopes and those of the token (spec/decisions.md#resource-api-errors). */
export const missingScopesMessage = (sufficient: readonly string[], scopes: readonly string[]) =>
  `Invalid access token, does not contain scopes:[${sufficient.join(', ')}]. It has scopes:[${scopes.join(', ')}].`

/** Throws insufficient_scope and lists the sufficient scopes of these levels. */
export function refuseLevel({ scopes, requirement }: Bearer, levels: readonly ScopeLevel[]): never {
  const sufficient = openingScopes(requirement).filter((scope) =>
    levels.includes(scopeLevel(scope)),
  )
  const message = missingScopesMessage(sufficient, scopes)
  // The token of a former admin still contains the scope.
  const isLost = scopes.some((scope) => sufficient.includes(scope))
  fail('insufficient_scope', isLost ? `${message} ${lostRole}` : message)
}

const lostRole =
  'Admin scopes work only while the user is an admin, and master scopes only while the user is the owner.'

async function findNamed({ db }: Context, { userId, accountId }: Bearer, name: string) {
  if (name === 'me') {
    return userId === null ? findActingOwner(db.read, accountId) : findUser(db.read, userId)
  }
  // Return the error for an unknown user. Validation of the path would return a different one.
  if (!isStorable(name)) return undefined
  if (name.includes('@')) return findUserInAccountTree(db.read, name, accountId)
  return findUser(db.read, name)
}

export async function reachesUser(ctx: Context, bearer: Bearer, user: UserRecord) {
  if (user.id === bearer.userId) return levelsOf(bearer).length > 0
  return reachesAccount(ctx, bearer, user.accountId)
}

/** Like `reachesUser`, for a user of a known account. */
export const reachesUserOf = (account: AccountRecord, bearer: Bearer, userId: string): boolean =>
  userId === bearer.userId
    ? levelsOf(bearer).length > 0
    : levelsReach(bearer, levelsOf(bearer), account)

export async function reachesAccount({ db }: Context, bearer: Bearer, accountId: string) {
  const levels = levelsOf(bearer)
  const account = reachesOthers(levels) ? await findAccount(db.read, accountId) : undefined
  return account !== undefined && levelsReach(bearer, levels, account)
}

function levelsReach(
  bearer: Bearer,
  levels: readonly ScopeLevel[],
  { id, masterAccountId }: AccountRecord,
): boolean {
  const isOwn = id === bearer.accountId
  if (isOwn && levels.includes('admin')) return true
  if (!levels.includes('master')) return false
  // A master account's app can hold a token for the sub-account itself.
  if (isOwn) return bearer.userId === null && masterAccountId !== null
  return masterAccountId === bearer.accountId
}

const reachesOthers = (levels: readonly ScopeLevel[]): boolean =>
  levels.includes('admin') || levels.includes('master')

/** Levels of the token's scopes for the route, as far as the user's role allows them. */
export function levelsOf({ role, scopes, requirement }: Bearer): ScopeLevel[] {
  const sufficient = openingScopes(requirement)
  const levels = scopes.filter((scope) => sufficient.includes(scope)).map(scopeLevel)
  return levels.filter((level) => role === null || hasLevel(role, level))
}

/** Whether a role includes a level (spec/decisions.md#levels). */
export const hasLevel = (role: Role, level: ScopeLevel): boolean =>
  level === 'user' || role === 'owner' || (level === 'admin' && role === 'admin')

export const isAdmin = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 'member'
