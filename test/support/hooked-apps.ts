import { randomUUID } from 'node:crypto'
import { generalApp } from './apps.ts'
import { grantOf, member, type OAuthServer } from './oauth-server.ts'
import type { Receiver } from './receiver.ts'
import type { TestServer } from './server.ts'

export type HookedApp = Awaited<ReturnType<typeof hookApp>>

/**
 * Declares a public app of Acme whose endpoint is a path of the receiver, which responds to
 * validations.
 */
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
  const scopes = [level === 'user' ? 'user:read:user' : 'user:read:user:admin']
  const settings = { visibility, level, deauthorizationUrl: address ?? receiver.url(path) }
  const { apps } = await server.seed({ apps: [generalApp(name, scopes, settings)] })
  const { [name]: app } = apps
  if (!app) throw new Error('The app was not made.')
  receiver.trust(path, app.secretToken)
  /** `path` is the endpoint's path at the receiver. */
  return { ...app, name, path, secret: app.secretToken }
}

/** Decides on an app for the account Careful, through the API. Throws if the API refuses it. */
export async function decideForCareful(
  server: OAuthServer,
  { id }: { readonly id: string },
  state: 'approved' | 'declined' | 'withdrawn',
) {
  const token = await server.ownTokenOf('Approver', 'Careful')
  const path = `/v2/marketplace/approvals/${id}`
  const { status, body } = await server.callWith(token, path, { method: 'PUT', body: { state } })
  if (status !== 200) throw new Error(String(body.message))
  return body
}

/** Allows an app as a user and removes it, which creates an event. */
export async function allowAndRemove(
  server: TestServer,
  app: HookedApp,
  email = member,
): Promise<void> {
  await grantOf(server, app, { email })
  await server.removeApp(app.id, email)
}
