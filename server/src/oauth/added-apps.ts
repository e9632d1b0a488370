import { recordOnApp, userParty } from '../audit/record.ts'
import { requireAdmin } from '../platform/roles.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import { writeRemovals } from '../webhooks/outbox.ts'
import type { OAuthContext } from './context.ts'
import { type DescribedScope, describeScopes } from './scopes.ts'
import {
  type AccountGrant,
  type AddedApp,
  endGrants,
  listAccountGrants,
  listAddedApps as listFromStore,
  reachesAccount,
} from './store/grants.ts'

type Removing = Pick<
  OAuthContext,
  'clock' | 'db' | 'encryption' | 'network' | 'random' | 'steadyNow' | 'trace' | 'webhooks'
>

/** An app that has access to a user's data, as its page shows it. */
export type ShownApp = Omit<AddedApp, 'scopes'> & { readonly scopes: DescribedScope[] }

/** The apps that a user has added, by name, from the moment of Allow on a device. */
export async function listAddedApps(ctx: OAuthContext, user: UserRecord): Promise<ShownApp[]> {
  const now = ctx.steadyNow()
  const issuedAfter = now - ctx.config.lifetimes.deviceCode
  const apps = await listFromStore(ctx.db.read, { userId: user.id, issuedAfter, now })
  return apps.map((app) => ({ ...app, scopes: describeScopes(app.scopes) }))
}

/**
 * Takes an app's access to a user's data away: its tokens die at once, a device that was allowed gets
 * none, and the app's endpoint is told (OAuth spec §6). False where it had none.
 */
export async function removeAddedApp(
  ctx: Removing,
  user: UserRecord,
  appId: string,
): Promise<boolean> {
  return endAccess(ctx, user, appId, 'user')
}

/** Ends an app's access of the user or of the account, and tells its endpoint. False where it had none. */
async function endAccess(
  ctx: Removing,
  user: UserRecord,
  appId: string,
  whose: 'user' | 'account',
): Promise<boolean> {
  const now = ctx.steadyNow()
  const [of, id, action] =
    whose === 'user'
      ? (['user_id', user.id, 'app.removed'] as const)
      : (['account_id', user.accountId, 'app.removed-for-account'] as const)
  const isEnded = await ctx.db.write(async (trx) => {
    if (whose === 'account' && !(await reachesAccount(trx, id, appId))) return false
    const { grants, devices } = await endGrants(trx, { of, id, appId, reason: 'removed', now })
    await writeRemovals(ctx, trx, grants, now)
    if (grants.length === 0 && devices === 0) return false
    const by = { who: userParty(user.id), accountId: user.accountId }
    await recordOnApp(ctx, trx, by, action, appId)
    return true
  })
  if (isEnded) ctx.webhooks.wake()
  return isEnded
}

/** An app that has access to an account as a whole, as its admins see it. */
export type AccountApp = Omit<ShownApp, 'waiting'> & {
  /** The users who have allowed it, the first one first. `since` is in milliseconds since 1970. */
  readonly allowedBy: { readonly userId: string; readonly email: string; readonly since: number }[]
}

/** The apps that have access to the admin's account as a whole, by name. Throws 403 for a member. */
export async function listAccountApps(
  ctx: Pick<OAuthContext, 'db'>,
  admin: UserRecord,
): Promise<AccountApp[]> {
  requireAdmin(admin, onlyAdmins)
  const grants = await listAccountGrants(ctx.db.read, admin.accountId)
  const apps = new Map<string, AccountGrant[]>()
  for (const grant of grants) apps.set(grant.appId, [...(apps.get(grant.appId) ?? []), grant])
  return [...apps.values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { appId, name, accountName, since } = first
    const scopes = [...new Set(own.flatMap((grant) => grant.scopes))]
    const users = new Map<string, AccountApp['allowedBy'][number]>()
    for (const one of own) {
      const { userId, email } = one
      if (!users.has(userId)) users.set(userId, { userId, email, since: one.since })
    }
    const allowedBy = [...users.values()]
    return [{ appId, name, accountName, since, scopes: describeScopes(scopes), allowedBy }]
  })
}

/**
 * An admin removes an app for the whole account: what any user has allowed it ends, and
 * its endpoint is told of each. False where it had no access. Throws 403 for a member.
 */
export async function removeAccountApp(
  ctx: Removing,
  admin: UserRecord,
  appId: string,
): Promise<boolean> {
  requireAdmin(admin, onlyAdmins)
  return endAccess(ctx, admin, appId, 'account')
}

const onlyAdmins = 'Only admins and the owner of the account can remove its apps.'
