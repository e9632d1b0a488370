import { parseScopes } from '@skillpass/contract'
import { recordOnApp, userParty } from '../audit/record.ts'
import { fail } from '../errors/failure.ts'
import { isAdmin } from '../people/bearer.ts'
import type { Context } from '../runtime/context.ts'
import { listUnusedCodes } from '../store/oauth/authorization-codes.ts'
import { listAllowedDevices } from '../store/oauth/device-codes.ts'
import * as store from '../store/oauth/grants.ts'
import type { UserRecord } from '../store/platform/users.ts'
import { endAccess } from './end-access.ts'
import { describeScopes } from './scopes.ts'

export type AddedApp = Awaited<ReturnType<typeof listAddedApps>>[number]

/**
 * Returns the apps that a user has added, sorted by name. Includes allowed devices and apps that
 * have not fetched a token yet.
 */
export async function listAddedApps({ config, db, steadyNow }: Context, user: UserRecord) {
  const now = steadyNow()
  const recent = { userId: user.id, issuedAfter: now - config.lifetimes.deviceCode, now }
  const grants = await store.listUserGrants(db.read, user.id)
  const devices = await listAllowedDevices(db.read, recent)
  const codes = await listUnusedCodes(db.read, user.id, now)
  const apps = byApp([
    ...grants.map((grant) => ({ ...grant, waitsFor: undefined })),
    ...devices.map((device) => ({ ...device, waitsFor: 'device' as const })),
    ...codes.map(({ expiresAt, ...code }) => {
      const since = expiresAt - config.lifetimes.authorizationCode
      return { ...code, since, waitsFor: 'app' as const }
    }),
  ])
  return apps
    .map(({ accesses, ...app }) => ({
      ...app,
      /** `device` or `app` while that has not fetched the first token. */
      waitsFor: accesses.some(({ waitsFor }) => !waitsFor) ? undefined : accesses[0]?.waitsFor,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
}

/** Groups accesses by app and merges their scopes. */
function byApp<A extends store.Access>(all: readonly A[]) {
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
 * Ends an app's access to a user's data. Its tokens and allowed devices become invalid at once, and
 * the app's endpoint receives an event (spec/oauth.md#deauthorization-webhook). Returns false if
 * the app had no access.
 */
export const removeAddedApp = (ctx: Context, user: UserRecord, appId: string) =>
  removeApp(ctx, user, 'app.removed', { of: 'user_id', id: user.id, appId })

/**
 * Ends an app's access to the data of every user of the admin's account. The app's endpoint
 * receives an event for each user. Returns false if the app had no access. Throws 403 if the user
 * is a member.
 */
export async function removeAccountApp(ctx: Context, admin: UserRecord, appId: string) {
  if (!isAdmin(admin)) fail(403, onlyAdmins)
  const { accountId: id } = admin
  if (!(await store.hasAccountGrant(ctx.db.read, id, appId))) return false
  return removeApp(ctx, admin, 'app.removed-for-account', { of: 'account_id', id, appId })
}

async function removeApp(
  ctx: Context,
  user: UserRecord,
  action: 'app.removed' | 'app.removed-for-account',
  access: Pick<store.AccessToEnd, 'of' | 'id'> & { readonly appId: string },
): Promise<boolean> {
  return ctx.db.write(async (trx) => {
    const { grants, codes, devices } = await endAccess(ctx, trx, { ...access, reason: 'removed' })
    if (grants.length + codes + devices === 0) return false
    const by = { who: userParty(user.id), accountId: user.accountId }
    await recordOnApp(ctx, trx, by, action, access.appId)
    return true
  })
}

export type AccountApp = Awaited<ReturnType<typeof listAccountApps>>[number]

/** Returns the apps with access to the whole account, sorted by name. Throws 403 for a member. */
export async function listAccountApps({ db }: Context, admin: UserRecord) {
  if (!isAdmin(admin)) fail(403, onlyAdmins)
  const apps = byApp(await store.listAccountGrants(db.read, admin.accountId))
  return apps.map(({ accesses, ...app }) => ({
    ...app,
    /** Users who allowed the app, in the order in which they first did. */
    allowedBy: accesses.filter(
      ({ userId }, index) => accesses.findIndex((one) => one.userId === userId) === index,
    ),
  }))
}

const onlyAdmins = 'Only admins and the owner of the account can remove its apps.'
