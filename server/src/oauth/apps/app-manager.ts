import { scopeLevel } from '@skillpass/contract'
import { memberParty, type Party, userParty } from '../../audit/record.ts'
import { fail } from '../../errors/failure.ts'
import {
  type Bearer,
  isAdmin,
  levelsOf,
  missingScopesMessage,
  reachesAccount,
  refuseLevel,
} from '../../people/bearer.ts'
import type { Context } from '../../runtime/context.ts'
import type { AppEnvironment, ClientRecord } from '../../store/oauth/clients.ts'
import { findActingOwner, type UserRecord } from '../../store/platform/users.ts'
import { type AppSettings, environments } from './settings.ts'

/** The user or access token that manages apps or approvals of an account. */
export interface AppManager {
  readonly accountId: string
  /** The user who owns new apps. Null for an account token whose account has no user. */
  readonly userId: string | null
  /** The actor for the audit log: the user, or the account for an account token. */
  readonly who: Party
  readonly managesAllApps: boolean
  /** Whether these include apps that act for sub-accounts. They do for the owner only. */
  readonly managesSubAccounts: boolean
  /**
   * Scopes of the token; undefined for a user of the console. A token cannot create or take over a
   * server-to-server app that has more scopes than the token.
   */
  readonly scopes?: readonly string[]
}

/** A user's rights to manage apps. Admins and the owner manage all apps of the account. */
export const managerOf = (user: UserRecord): AppManager => ({
  accountId: user.accountId,
  userId: user.id,
  who: userParty(user.id),
  managesAllApps: isAdmin(user),
  managesSubAccounts: user.role === 'owner',
})

/**
 * A token's rights to manage apps: those of its user, or all of the account with an admin scope. An
 * account token acts for the account's acting owner. Throws insufficient_scope if the token only
 * has scopes for sub-accounts.
 */
export async function managerOfToken(ctx: Context, bearer: Bearer): Promise<AppManager> {
  const { accountId } = bearer
  const levels = levelsOf(bearer)
  const managesSubAccounts = levels.includes('master')
  const managesAllApps = await reachesAccount(ctx, bearer, accountId)
  if (bearer.userId === null && !managesAllApps && !levels.includes('user')) {
    refuseLevel(bearer, ['user', 'admin'])
  }
  const who = memberParty(bearer)
  const userId = bearer.userId ?? (await findActingOwner(ctx.db.read, accountId))?.id ?? null
  return { accountId, userId, who, managesAllApps, managesSubAccounts, scopes: bearer.scopes }
}

/**
 * A token's rights to decide on approvals. Throws insufficient_scope if no scope covers the
 * account, because the user is no longer an admin or the scopes are for sub-accounts.
 */
export async function approverOfToken(ctx: Context, bearer: Bearer): Promise<AppManager> {
  const manager = await managerOfToken(ctx, bearer)
  return manager.managesAllApps ? manager : refuseLevel(bearer, ['admin'])
}

type ScopedApp = Pick<AppSettings, 'type'> & Record<AppEnvironment, Pick<ClientRecord, 'scopes'>>

/**
 * Throws insufficient_scope unless the manager may manage the app. A server-to-server app acts
 * for the account without consent, so only admins can manage it, and only the owner if it has
 * master scopes.
 */
export function requireManagement(manager: AppManager, app: ScopedApp): void {
  if (app.type !== 'server-to-server') return
  if (!manager.managesAllApps) {
    fail('insufficient_scope', 'Only an admin of the account can manage server-to-server apps.')
  }
  const scopes = environments.flatMap((environment) => app[environment].scopes)
  if (manager.managesSubAccounts || !scopes.some((scope) => scopeLevel(scope) === 'master')) return
  fail(
    'insufficient_scope',
    'Only the owner of the account can manage apps that act for sub-accounts.',
  )
}

/**
 * Throws insufficient_scope if the app's secret would give a token more rights than it has: a
 * server-to-server app with other scopes, or a chatbot without an admin scope.
 */
export function requireScopes(manager: AppManager, app: ScopedApp): void {
  const { scopes } = manager
  if (scopes === undefined) return
  if (app.type === 'chatbot' && !manager.managesAllApps) {
    fail(
      'insufficient_scope',
      'Chatbots act without a user. Use a token with an admin scope, or the developer console.',
    )
  }
  if (app.type !== 'server-to-server') return
  const needed = new Set(environments.flatMap((environment) => app[environment].scopes))
  const missing = [...needed].filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) fail('insufficient_scope', missingScopesMessage(missing, scopes))
}
