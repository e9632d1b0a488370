import { randomUUID } from 'node:crypto'
import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { insertGrant } from '@skillpass/server/oauth/store/grants'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { listDeliveries } from '@skillpass/server/webhooks/deliveries'
import type { DeliveryRecord } from '@skillpass/server/webhooks/store/deliveries'
import { onTestFinished } from 'vitest'
import { declare, generalApp, password } from './apps.ts'
import { member } from './oauth-server.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'
import { until } from './waiting.ts'

const emails = ['owner@testAccounts.test', member] as const

/** A server within a test, which ends with it; Acme has an owner and a member. */
export async function serverForTest(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  onTestFinished(async () => {
    await server.stop()
    if (!options.database) await server.database.remove()
  })
  // Hashing passwords is slow; another server on the database finds them.
  if (!options.database) {
    const roles = ['owner', 'member'] as const
    const users = emails.map((email, index) => ({
      email,
      password,
      role: roles[index] ?? 'member',
    }))
    await declare(server, { accounts: [{ name: 'Acme', users }] })
  }
  return server
}

/** A receiver within a test, which ends with it. */
export async function receiverForTest(): Promise<Receiver> {
  const receiver = await startReceiver()
  onTestFinished(receiver.close)
  return receiver
}

/** Another server on the database and clock of one, within a test. */
export const secondNodeForTest = (
  { database, clock }: TestServer,
  env: Record<string, string> = {},
): Promise<TestServer> => serverForTest({ database, clock, env })

/** An app with an endpoint of its own. */
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
  /** Declared in place of the receiver's. */
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

/** What a user has allowed an app, without the pages. */
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

/** A user who allows the app and removes it. */
export async function allowAndRemove(
  server: TestServer,
  app: HookedApp,
  email = member,
): Promise<void> {
  await allow(server, app, { email })
  const isRemoved = await removeAddedApp(server.ctx, await userOf(server, email), app.id)
  if (!isRemoved) throw new Error('There was nothing to remove.')
}

/** The log of an app, the newest first. */
export async function logOf(
  server: TestServer,
  app: HookedApp,
): Promise<readonly DeliveryRecord[]> {
  const { items: deliveries } = await listDeliveries(server.ctx, app.id, { after: '', limit: 100 })
  return deliveries
}

/** The only delivery of an app, once it has had so many attempts. */
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

/** Lets time pass and has the sender look. */
export function passMinutes(server: TestServer, minutes: number): void {
  server.clock.advance(minutes * minute)
  server.ctx.webhooks.wake()
}
