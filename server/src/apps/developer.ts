import { scopeLevel } from '@skillpass/contract'
import { memberParty, type Party, userParty } from '../audit/record.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import {
  type Bearer,
  levelsOf,
  missingScopesMessage,
  reachesAccount,
  refuseLevel,
} from '../platform/bearer.ts'
import { isAdmin } from '../platform/roles.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import { findHead } from '../platform/store/users.ts'
import { type AppSettings, environments } from './settings.ts'
import type { AppEnvironment, ClientRecord } from './store/clients.ts'

/** Who manages apps, or decides on them for an account: a person, or a token of the API. */
export interface Developer {
  readonly accountId: string
  /** The user who owns the apps, null where an account token's account has no user. */
  readonly userId: string | null
  /** Who acts: the user, or for an account token the account. */
  readonly who: Party
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
  who: userParty(user.id),
  seesAll: isAdmin(user),
  reachesSubAccounts: user.role === 'owner',
})

/**
 * What a token may do with its user's apps, or by an admin scope with all of the account; an account
 * token's user is the head of the account. Throws insufficient_scope for scopes of sub-accounts alone.
 */
export async function developerOfToken(ctx: OAuthContext, bearer: Bearer): Promise<Developer> {
  const { accountId } = bearer
  const levels = levelsOf(bearer)
  const reachesSubAccounts = levels.includes('master')
  const seesAll = await reachesAccount(ctx, bearer, accountId)
  if (bearer.userId === null && !seesAll && !levels.includes('user')) {
    refuseLevel(bearer, ['user', 'admin'])
  }
  const who = memberParty(bearer)
  const userId = bearer.userId ?? (await findHead(ctx.db.read, accountId))?.id ?? null
  return { accountId, userId, who, seesAll, reachesSubAccounts, scopes: bearer.scopes }
}

/**
 * Who decides on apps by a token. Throws insufficient_scope where no scope of it reaches the account: its
 * user is no admin any more, or its scopes are for sub-accounts.
 */
export async function deciderOf(ctx: OAuthContext, bearer: Bearer): Promise<Developer> {
  const developer = await developerOfToken(ctx, bearer)
  return developer.seesAll ? developer : refuseLevel(bearer, ['admin'])
}

/** What an app is let do by itself. */
type ScopedApp = Pick<AppSettings, 'type'> & Record<AppEnvironment, Pick<ClientRecord, 'scopes'>>

/**
 * A server-to-server app acts for the account without anybody's consent, so it is for those to make
 * and to change who manage all of the account; the owner alone, where it reaches the sub-accounts.
 */
export function requireReach(developer: Developer, app: ScopedApp): void {
  if (app.type !== 'server-to-server') return
  if (!developer.seesAll) {
    fail('insufficient_scope', 'Only an admin of the account can manage server-to-server apps.')
  }
  const scopes = environments.flatMap((environment) => app[environment].scopes)
  if (developer.reachesSubAccounts || !scopes.some((scope) => scopeLevel(scope) === 'master'))
    return
  fail(
    'insufficient_scope',
    'Only the owner of the account can manage apps that act for sub-accounts.',
  )
}

/**
 * A token gives no secret of an app that acts by itself with more scopes than the token has. No token has the scope of chatbots, so their secrets take an admin's.
 */
export function requireScopes(developer: Developer, app: ScopedApp): void {
  const { scopes } = developer
  if (scopes === undefined) return
  if (app.type === 'chatbot' && !developer.seesAll) {
    fail(
      'insufficient_scope',
      'A chatbot acts by itself: use an admin scope, or the developer console.',
    )
  }
  if (app.type !== 'server-to-server') return
  const wanted = new Set(environments.flatMap((environment) => app[environment].scopes))
  const missing = [...wanted].filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) fail('insufficient_scope', missingScopesMessage(missing, scopes))
}
