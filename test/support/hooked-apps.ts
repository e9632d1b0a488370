import { randomUUID } from 'node:crypto'
import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { insertGrant } from '@skillpass/server/oauth/store/grants'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { listDeliveries } from '@skillpass/server/webhooks/deliveries'
import type { DeliveryRecord } from '@skillpass/server/webhooks/store/deliveries'
import { onTestFinished } from 'vitest'
import { declare, generalApp, password } from './apps.ts'
import { afterFile } from './cleanup.ts'
import { member } from './oauth-server.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'
import { until } from './waiting.ts'

/** A server for the tests of a file, with the account Acme of an owner and a member. */
export async function startWebhookServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  const users = [
    { email: 'owner@acme.test', password, role: 'owner' },
    { email: member, password, role: 'member' },
  ] as const
  await declare(server, { accounts: [{ name: 'Acme', users }] })
  return server
}

/** Another server on the same database and clock, until the test ends. */
export async function secondNodeForTest(
  { database, clock }: TestServer,
  env: Record<string, string> = {},
): Promise<TestServer> {
  const node = await startTestServer({ database, clock, env })
  onTestFinished(node.stop)
  return node
}

/** A receiver for the tests of a file. */
export async function receiverForFile(): Promise<Receiver> {
  const receiver = await startReceiver()
  afterFile(receiver.close)
  return receiver
}

/** Changes the declared address of an app to one of its database alone, unchecked. */
export const setAddress = (server: TestServer, app: HookedApp, url: string | null): Promise<void> =>
  server.ctx.db.write(async (trx) => {
    const set = { deauthorization_url: url }
    await trx.updateTable('apps').set(set).where('id', '=', app.id).execute()
  })

/** An app with an endpoint at a receiver. */
export interface HookedApp {
  readonly id: string
  readonly name: string
  readonly clientId: string
  readonly developmentClientId: string
  /** The path of its endpoint at the receiver. */
  readonly path: string
  readonly secret: string
}

/** Declares a public app of Acme whose endpoint is a path of the receiver, validations answered. */
export async function hookApp(
  server: TestServer,
  receiver: Receiver,
  more: { visibility?: 'public' | 'private' | 'development'; level?: 'user' | 'account' } = {},
  /** Is declared instead of the receiver's address. */
  address?: string,
): Promise<HookedApp> {
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
    path,
    secret: made.secretToken,
  }
}

/** The user with this email. */
export async function userOf(server: TestServer, email: string) {
  const user = await findUserByEmail(server.ctx.db.read, email)
  if (!user) throw new Error(`There is no user ${email}.`)
  return user
}

/** Inserts a grant of a user for an app, without the pages. */
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
      createdAt: ctx.steadyNow(),
    }),
  )
}

/** Lets a user allow an app and remove it, which makes an event. */
export async function allowAndRemove(
  server: TestServer,
  app: HookedApp,
  email = member,
): Promise<void> {
  await allow(server, app, { email })
  const isRemoved = await removeAddedApp(server.ctx, await userOf(server, email), app.id)
  if (!isRemoved) throw new Error('There was nothing to remove.')
}

/** The deliveries of an app, newest first. */
export async function logOf(
  server: TestServer,
  app: HookedApp,
): Promise<readonly DeliveryRecord[]> {
  const { items: deliveries } = await listDeliveries(server.ctx, app.id, { after: '', limit: 100 })
  return deliveries
}

/** Waits until the only delivery of an app has had this many attempts, and returns it. */
export async function attempted(
  server: TestServer,
  app: HookedApp,
  attempts: number,
): Promise<DeliveryRecord> {
  let found: DeliveryRecord | undefined
  await until(`attempt ${attempts}`, async () => {
    const [one, second] = await logOf(server, app)
    if (second) throw new Error('There is more than one delivery.')
    found = one
    return (one?.attempts.length ?? 0) >= attempts
  })
  if (!found) throw new Error('There is no delivery.')
  return found
}

const minute = 60_000

/** Advances the clock and wakes the sender. */
export function passMinutes(server: TestServer, minutes: number): void {
  server.clock.advance(minutes * minute)
  server.ctx.webhooks.wake()
}
