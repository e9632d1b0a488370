import {
  isStorable,
  openingScopes,
  type ScopeLevel,
  type ScopeRequirement,
  scopeLevel,
} from '@skillpass/contract'
import { fail } from '../errors/failure.ts'
import type { PlatformContext } from './context.ts'
import { type AccountRecord, findAccount } from './store/accounts.ts'
import type { Role, UserRecord } from './store/user-record.ts'
import { findHead, findUser, findUserBelow } from './store/users.ts'

/** The owner of the data that an access token opens, and what the request with it takes. */
export interface Bearer {
  /** Null for account tokens, whose `me` is the head of the account. */
  readonly userId: string | null
  readonly accountId: string
  /** Null for account tokens: the app's owner has decided what they reach. */
  readonly role: Role | null
  readonly scopes: readonly string[]
  /** The scopes that open the route of the request. */
  readonly requirement: ScopeRequirement
}

/**
 * The user that a path names by `me`, id or email: the own one by any scope of the route, the account's
 * by an admin one, a sub-account's by a master one (OAuth spec §2). Throws insufficient_scope, user_not_found.
 */
export async function findVisibleUser(
  ctx: PlatformContext,
  bearer: Bearer,
  name: string,
): Promise<UserRecord> {
  const user = await findNamed(ctx, bearer, name)
  const isSelf = name === 'me' || (user !== undefined && user.id === bearer.userId)
  if (isSelf && bearer.requirement.from === undefined) return user ?? fail('user_not_found')
  if (!reachOthers(levelsOf(bearer))) refuseLevel(bearer, ['admin', 'master'])
  const isReached = user !== undefined && (await reachesAccount(ctx, bearer, user.accountId))
  return isReached ? user : fail('user_not_found')
}

/**
 * The account that the bearer's scopes open as a whole (OAuth spec §2). Without a master scope all other
 * ids are refused alike, so that nobody learns which there are. Throws insufficient_scope, user_not_found.
 */
export async function findVisibleAccount(
  ctx: PlatformContext,
  bearer: Bearer,
  id = bearer.accountId,
): Promise<AccountRecord> {
  const levels = levelsOf(bearer)
  const account = await findAccount(ctx.db.read, id)
  if (account && reachAccount(bearer, levels, account)) return account
  if (id !== bearer.accountId && levels.includes('master')) {
    fail('user_not_found', 'There is no such sub-account.')
  }
  return refuseLevel(bearer, [id === bearer.accountId ? 'admin' : 'master'])
}

/** What a refusal says about scopes: those that would do, and those the token has (open-points C). */
export const missingScopesMessage = (
  wanted: readonly string[],
  scopes: readonly string[],
): string =>
  `Invalid access token, does not contain scopes:[${wanted.join(', ')}]. It has scopes:[${scopes.join(', ')}].`

/** Names the scopes of these levels, one of which it would take. Throws insufficient_scope. */
export function refuseLevel({ scopes, requirement }: Bearer, levels: readonly ScopeLevel[]): never {
  const wanted = openingScopes(requirement).filter((scope) => levels.includes(scopeLevel(scope)))
  const message = missingScopesMessage(wanted, scopes)
  // Who was an admin has the scope on the token still.
  const isLost = scopes.some((scope) => wanted.includes(scope))
  fail('insufficient_scope', isLost ? `${message} ${lostRole}` : message)
}

const lostRole = 'Admin scopes count while the user is an admin, master scopes while the owner.'

async function findNamed(
  ctx: PlatformContext,
  bearer: Bearer,
  name: string,
): Promise<UserRecord | undefined> {
  if (name === 'me') return findSelf(ctx, bearer)
  // The answer is that of other unknown users, where a schema of the path would give another.
  if (!isStorable(name)) return undefined
  return name.includes('@')
    ? findUserBelow(ctx.db.read, name, bearer.accountId)
    : findUser(ctx.db.read, name)
}

const findSelf = ({ db }: PlatformContext, { userId, accountId }: Bearer) =>
  userId === null ? findHead(db.read, accountId) : findUser(db.read, userId)

/** Whether the bearer's scopes meet the requirement for this user. */
export async function reachesUser(
  ctx: PlatformContext,
  bearer: Bearer,
  user: UserRecord,
): Promise<boolean> {
  if (user.id === bearer.userId) return levelsOf(bearer).length > 0
  return reachesAccount(ctx, bearer, user.accountId)
}

/** Whether the bearer's scopes open an account as a whole. */
export async function reachesAccount(
  { db }: PlatformContext,
  bearer: Bearer,
  accountId: string,
): Promise<boolean> {
  const levels = levelsOf(bearer)
  const account = reachOthers(levels) ? await findAccount(db.read, accountId) : undefined
  return account !== undefined && reachAccount(bearer, levels, account)
}

/** Whether scopes of these levels open the users of an account. */
function reachAccount(
  bearer: Bearer,
  levels: readonly ScopeLevel[],
  { id, masterAccountId }: AccountRecord,
): boolean {
  const isOwn = id === bearer.accountId
  if (isOwn && levels.includes('admin')) return true
  if (!levels.includes('master')) return false
  // A master account's app may hold a token for the sub-account itself.
  if (isOwn) return bearer.userId === null && masterAccountId !== null
  return masterAccountId === bearer.accountId
}

/** Whether scopes of these levels open more than the own data. */
const reachOthers = (levels: readonly ScopeLevel[]): boolean =>
  levels.includes('admin') || levels.includes('master')

/** How far the bearer's scopes reach. Who is no admin by now reaches no further than the own data. */
export function levelsOf({ role, scopes, requirement }: Bearer): ScopeLevel[] {
  const opening = openingScopes(requirement)
  const levels = scopes.filter((scope) => opening.includes(scope)).map(scopeLevel)
  if (role === null || role === 'owner') return levels
  return levels.filter((level) => level === 'user' || (level === 'admin' && role === 'admin'))
}
