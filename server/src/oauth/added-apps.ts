import { parseScopes } from '@skillpass/contract'
import { recordOnApp, userParty } from '../audit/record.ts'
import { requireAdmin } from '../platform/roles.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import type { OAuthContext } from './context.ts'
import { endAccess } from './end-access.ts'
import { describeScopes } from './scopes.ts'
import { listAllowedDevices } from './store/device-codes.ts'
import {
  type Access,
  type Ending,
  listAccountGrants,
  listUserGrants,
  reachesAccount,
} from './store/grants.ts'

export type AddedApp = Awaited<ReturnType<typeof listAddedApps>>[number]

/** The apps that a user has added, by name, from the moment of Allow on a device. */
export async function listAddedApps({ config, db, steadyNow }: OAuthContext, user: UserRecord) {
  const now = steadyNow()
  const recent = { userId: user.id, issuedAfter: now - config.lifetimes.deviceCode, now }
  const grants = await listUserGrants(db.read, user.id)
  const devices = await listAllowedDevices(db.read, recent)
  const apps = byApp([
    ...grants.map((grant) => ({ ...grant, isWaiting: false })),
    ...devices.map((device) => ({ ...device, isWaiting: true })),
  ])
  return apps
    .map(({ accesses, ...app }) => ({
      ...app,
      /** Whether all that it has is a device that was allowed and has not connected yet. */
      waiting: accesses.every(({ isWaiting }) => isWaiting),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

/** What users have allowed, by app, with all its scopes. */
function byApp<A extends Access>(all: readonly A[]) {
  const apps = new Map<string, A[]>()
  for (const access of all) apps.set(access.appId, [...(apps.get(access.appId) ?? []), access])
  return [...apps.values()].flatMap((accesses) => {
    const [first] = accesses
    if (!first) return []
    const { appId, name, accountName, since } = first
    const scopes = accesses.flatMap((access) => parseScopes(access.scopes))
    return [
      { appId, name, accountName, since, scopes: describeScopes([...new Set(scopes)]), accesses },
    ]
  })
}

/**
 * Takes an app's access to a user's data away: its tokens die at once, a device that was allowed gets
 * none, and the app's endpoint is told (OAuth spec §6). False where it had none.
 */
export const removeAddedApp = (
  ctx: OAuthContext,
  user: UserRecord,
  appId: string,
): Promise<boolean> => removeApp(ctx, user, 'app.removed', { of: 'user_id', id: user.id, appId })

/**
 * An admin removes an app for the whole account: what any user has allowed it ends, and
 * its endpoint is told of each. False where it had no access. Throws 403 for a member.
 */
export async function removeAccountApp(
  ctx: OAuthContext,
  admin: UserRecord,
  appId: string,
): Promise<boolean> {
  requireAdmin(admin, onlyAdmins)
  const { accountId: id } = admin
  if (!(await reachesAccount(ctx.db.read, id, appId))) return false
  return removeApp(ctx, admin, 'app.removed-for-account', { of: 'account_id', id, appId })
}

async function removeApp(
  ctx: OAuthContext,
  user: UserRecord,
  action: 'app.removed' | 'app.removed-for-account',
  access: Pick<Ending, 'of' | 'id'> & { readonly appId: string },
): Promise<boolean> {
  const isEnded = await ctx.db.write(async (trx) => {
    const { grants, devices } = await endAccess(ctx, trx, { ...access, reason: 'removed' })
    if (grants.length === 0 && devices === 0) return false
    const by = { who: userParty(user.id), accountId: user.accountId }
    await recordOnApp(ctx, trx, by, action, access.appId)
    return true
  })
  if (isEnded) ctx.webhooks.wake()
  return isEnded
}

export type AccountApp = Awaited<ReturnType<typeof listAccountApps>>[number]

/** The apps that have access to the admin's account as a whole, by name. Throws 403 for a member. */
export async function listAccountApps({ db }: OAuthContext, admin: UserRecord) {
  requireAdmin(admin, onlyAdmins)
  const apps = byApp(await listAccountGrants(db.read, admin.accountId))
  return apps.map(({ accesses, ...app }) => ({
    ...app,
    /** The users who have allowed it, the first one first. */
    allowedBy: accesses.filter(
      ({ userId }, index) => accesses.findIndex((one) => one.userId === userId) === index,
    ),
  }))
}

const onlyAdmins = 'Only admins and the owner of the account can remove its apps.'
