import type { DeliveryRecord } from '@skillpass/server/internal/store/webhooks'
import { listDeliveries } from '@skillpass/server/internal/webhooks/deliveries'
import { vi } from 'vitest'
import { afterFile } from '../support/cleanup.ts'
import type { HookedApp } from '../support/hooked-apps.ts'
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

/** The deliveries of an app, newest first. */
export async function logOf(
  server: TestServer,
  app: HookedApp,
): Promise<readonly DeliveryRecord[]> {
  const { items: deliveries } = await listDeliveries(server.ctx, app.id, { after: '', limit: 100 })
  return deliveries
}

/** Waits until the only delivery of an app has `attempts` attempts, and returns it. */
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

/** Advances the clock. */
export function passMinutes(server: TestServer, minutes: number): void {
  server.clock.advance(minutes * 60_000)
}

/** Time limit of a webhook response (`runtime/outbound/post.ts`), ms. */
const responseTimeout = 3000

/**
 * Replaces response timeouts until the end of the file. They fire only when a test calls `expire`,
 * so slow machines cause no timeouts and no test waits for one.
 */
function holdTimeouts() {
  const waiting = new Map<unknown, () => void>()
  const { setTimeout: setReal, clearTimeout: clearReal } = globalThis
  const set = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((callback, ms, ...args: unknown[]) => {
      const run = () => void Reflect.apply(callback, undefined, args)
      if (ms !== responseTimeout) return setReal(run, ms)
      const timer = setReal(run, ceilingMs)
      waiting.set(timer, run)
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
    expire() {
      const callbacks = [...waiting.values()]
      waiting.clear()
      for (const callback of callbacks) callback()
    },
  }
}
