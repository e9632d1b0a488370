import { randomUUID } from 'node:crypto'
import { removeAddedApp } from '@skillpass/server/internal/oauth/added-apps'
import {
  type ApprovalDecision,
  decideApproval,
} from '@skillpass/server/internal/oauth/apps/approvals'
import { developerOf } from '@skillpass/server/internal/oauth/apps/developer'
import { insertGrant } from '@skillpass/server/internal/store/oauth/grants'
import { findUserByEmail } from '@skillpass/server/internal/store/platform/users'
import { declare, generalApp } from './apps.ts'
import { member } from './oauth-server.ts'
import type { Receiver } from './receiver.ts'
import type { TestServer } from './server.ts'

export type HookedApp = Awaited<ReturnType<typeof hookApp>>

/** Declares a public app of Acme whose endpoint is a path of the receiver, which responds to validations. */
export async function hookApp(
  server: TestServer,
  receiver: Receiver,
  more: { visibility?: 'public' | 'private' | 'development'; level?: 'user' | 'account' } = {},
  /** Endpoint to declare instead of the receiver's address. */
  address?: string,
) {
  const name = `Hooked ${randomUUID()}`
  const path = `/${name.slice(7)}`
  const { visibility = 'public', level = 'user' } = more
  const { apps } = await declare(server, {
    apps: [
      generalApp(name, [level === 'user' ? 'user:read:user' : 'user:read:user:admin'], {
        visibility,
        level,
        deauthorizationUrl: address ?? receiver.url(path),
      }),
    ],
  })
  const [made] = apps
  if (!made?.secretToken) throw new Error('The app was not made.')
  receiver.trust(path, made.secretToken)
  return {
    id: made.id,
    name,
    clientId: made.production.clientId,
    developmentClientId: made.development.clientId,
    /** The endpoint's path at the receiver. */
    path,
    secret: made.secretToken,
  }
}

export async function userOf(server: TestServer, email: string) {
  const user = await findUserByEmail(server.ctx.db.read, email)
  if (!user) throw new Error(`User ${email} does not exist.`)
  return user
}

/** Decides on an app as the admin of the account Careful, without the page of approvals. */
export async function decideForCareful(
  server: TestServer,
  { id }: { readonly id: string },
  decision: ApprovalDecision,
) {
  const admin = developerOf(await userOf(server, 'admin@careful.test'))
  return decideApproval(server.ctx, admin, id, decision)
}

/** Inserts a user's grant for an app, without the consent pages. */
export async function allow(
  server: TestServer,
  app: HookedApp,
  { email = member, clientId = app.clientId } = {},
): Promise<void> {
  const { ctx } = server
  const user = await userOf(server, email)
  await ctx.db.write((trx) =>
    insertGrant(trx, {
      id: randomUUID(),
      clientId,
      appId: app.id,
      userId: user.id,
      accountId: user.accountId,
      scopes: 'user:read:user',
      resource: null,
      createdAt: ctx.steadyNow(),
    }),
  )
}

/** Allows an app as a user and removes it, which creates an event. */
export async function allowAndRemove(
  server: TestServer,
  app: HookedApp,
  email = member,
): Promise<void> {
  await allow(server, app, { email })
  const isRemoved = await removeAddedApp(server.ctx, await userOf(server, email), app.id)
  if (!isRemoved) throw new Error('There was nothing to remove.')
}
