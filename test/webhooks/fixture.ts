import { Delivery } from '@skillpass/contract'
import { vi } from 'vitest'
import { z } from 'zod'
import { afterFile } from '../support/cleanup.ts'
import type { HookedApp } from '../support/hooked-apps.ts'
import type { OAuthServer } from '../support/oauth-server.ts'
import { startReceiver } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { ceilingMs, until } from '../support/waiting.ts'

/**
 * A webhook receiver for a test file. It has unlimited time to respond unless the test expires it.
 */
export async function receiverForFile() {
  const answers = holdTimeouts()
  const receiver = await startReceiver()
  return { receiver, answers }
}

/** Changes the endpoint of an app in the database, without checks. */
export const setAddress = (server: TestServer, app: HookedApp, url: string | null): Promise<void> =>
  server.ctx.db.write(async (trx) => {
    const set = { deauthorization_url: url }
    await trx.updateTable('apps').set(set).where('id', '=', app.id).execute()
  })

type DeliveryLog = z.output<typeof Delivery>

const tokens = new WeakMap<OAuthServer, { token: Promise<string>; until: number }>()

/** Returns an access token that may manage the apps of Acme. */
function managerToken(server: OAuthServer): Promise<string> {
  const now = server.clock.now()
  const known = tokens.get(server)
  if (known && now < known.until) return known.token
  const token = server.ownTokenOf('Manager', 'Acme')
  tokens.set(server, { token, until: now + 3_000_000 })
  return token
}

const manage = async (server: OAuthServer, { id }: HookedApp, path: string, method = 'GET') => {
  const token = await managerToken(server)
  return server.callWith(token, `/v2/marketplace/apps/${id}${path}`, { method })
}

/** The deliveries of an app, newest first. */
export async function logOf(server: OAuthServer, app: HookedApp): Promise<DeliveryLog[]> {
  const { body } = await manage(server, app, '/deliveries')
  return z.array(Delivery).parse(body.deliveries)
}

/** Sends an event again. */
export async function redeliver(server: OAuthServer, app: HookedApp, id: string): Promise<void> {
  const { status, text } = await manage(server, app, `/deliveries/${id}/redeliver`, 'POST')
  if (status !== 200) throw new Error(text)
}

/** Validates the endpoint of an app. Returns the problem, if there is one. */
export async function validate(server: OAuthServer, app: HookedApp): Promise<string | undefined> {
  const { body } = await manage(server, app, '/validate_endpoint', 'POST')
  const [problem] = z.array(z.object({ message: z.string() })).parse(body.errors ?? [])
  return problem?.message
}

/** Waits until the only delivery of an app has `attempts` attempts, and returns it. */
export async function attempted(
  server: OAuthServer,
  app: HookedApp,
  attempts: number,
): Promise<DeliveryLog> {
  let found: DeliveryLog | undefined
  await until(`attempt ${attempts}`, async () => {
    const [one, second] = await logOf(server, app)
    if (second) throw new Error('There is more than one delivery.')
    found = one
    return (one?.attempts.length ?? 0) >= attempts
  })
  if (!found) throw new Error('There is no delivery.')
  return found
}

/** Advances the clock. */
export function passMinutes(server: TestServer, minutes: number): void {
  server.clock.advance(minutes * 60_000)
}

/** Time limits of a webhook response and of the attempts of a stopping server, ms. */
const limits = { response: 3000, drain: 3500 }

/**
 * Replaces these limits until the end of the file. They end only when a test calls `expire`, so
 * slow machines cause no timeouts and no test waits for one.
 */
function holdTimeouts() {
  const waiting = new Map<unknown, { ms: number; run: () => void }>()
  const { setTimeout: setReal, clearTimeout: clearReal } = globalThis
  const set = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms = 0, ...args: unknown[]) => {
      const run = () => void Reflect.apply(callback, undefined, args)
      if (!Object.values(limits).includes(ms)) return setReal(run, ms)
      const timer = setReal(run, ceilingMs)
      waiting.set(timer, { ms, run })
      return timer
    })
  const clear = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    waiting.delete(timer)
    clearReal(timer)
  })
  afterFile(async () => {
    set.mockRestore()
    clear.mockRestore()
  })
  return {
    /** Ends the running limits of a kind. Returns whether there were any. */
    expire(kind: keyof typeof limits = 'response'): boolean {
      const ended = [...waiting].filter(([, { ms }]) => ms === limits[kind])
      for (const [timer, { run }] of ended) {
        waiting.delete(timer)
        run()
      }
      return ended.length > 0
    },
  }
}
