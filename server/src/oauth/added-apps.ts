import type { Context } from '../context.ts'
import type { UserRecord } from '../platform/store/users.ts'
import { type DescribedScope, describeScopes } from './scopes.ts'
import { type AddedApp, endGrantsOfUser, listAddedApps as listFromStore } from './store/grants.ts'

/** An app that has access to a user's data, as its page shows it. */
export type ShownApp = Omit<AddedApp, 'scopes'> & { readonly scopes: DescribedScope[] }

/** The apps that a user has added, by name. */
export async function listAddedApps(ctx: Context, user: UserRecord): Promise<ShownApp[]> {
  const apps = await listFromStore(ctx.db.read, user.id)
  return apps.map((app) => ({ ...app, scopes: describeScopes(app.scopes) }))
}

/** Takes an app's access to a user's data away: its tokens die at once. False where it had none. */
export async function removeAddedApp(
  ctx: Context,
  user: UserRecord,
  appId: string,
): Promise<boolean> {
  const now = ctx.steadyNow()
  return ctx.db.write((trx) =>
    endGrantsOfUser(trx, { userId: user.id, appId, reason: 'removed', now }),
  )
}
