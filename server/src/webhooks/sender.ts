import { setMaxListeners } from 'node:events'
import { LRUCache } from 'lru-cache'
import type { Context } from '../runtime/context.ts'
import { listDueApps, type TakenEvent, takeDueEvents } from '../store/webhooks.ts'
import { deliver } from './deliver.ts'

/** How long a taken event is reserved for its sender, ms. Longer than any attempt. */
const lease = 30_000

/** How long attempts may continue while the server stops, ms. They are aborted afterwards. */
const drainTimeout = 3500

/** Maximum concurrent attempts. A slow endpoint does not delay other apps. */
const limits = { all: 64, app: 2 }

export type Sender = ReturnType<typeof createSender>

/**
 * Sends due events. Apps that were served least recently come first, regardless of how many events
 * they have.
 */
export function createSender(ctx: Context) {
  const running = new Set<{ readonly appId: string; readonly ended: Promise<void> }>()
  /** When each app was last served, as a sequence number. Unknown apps come first. */
  const served = new LRUCache<string, number>({ max: 10_000 })
  let turn = 0
  let isHeld = false
  let wake = () => {}
  const abortController = new AbortController()
  setMaxListeners(0, abortController.signal)

  const start = (event: TakenEvent) => {
    const send = async () => {
      await attempt(ctx, event, abortController.signal)
      running.delete(attempted)
      wake()
    }
    const attempted = { appId: event.appId, ended: send() }
    running.add(attempted)
  }

  const roomOf = (id: string) =>
    limits.app - [...running].filter(({ appId }) => appId === id).length

  /** Takes and starts due events. Returns whether there were any. */
  const startDueEvents = async (signal: AbortSignal): Promise<boolean> => {
    const free = limits.all - running.size
    if (free <= 0 || isHeld) return false
    const now = ctx.steadyNow()
    const due = await listDueApps(ctx.db.read, now)
    const apps = due
      .filter((appId) => roomOf(appId) > 0)
      .sort((a, b) => (served.get(a) ?? 0) - (served.get(b) ?? 0))
      .slice(0, free)
    if (apps.length === 0 || signal.aborted) return false
    const share = Math.max(1, Math.floor(free / apps.length))
    const taken = await ctx.db.write(async (trx) => {
      const events: TakenEvent[] = []
      for (const appId of apps) {
        const limit = Math.min(share, roomOf(appId))
        events.push(...(await takeDueEvents(trx, { appId, now, limit, leasedUntil: now + lease })))
      }
      return events
    })
    for (const appId of apps) served.set(appId, ++turn)
    for (const event of taken) start(event)
    return taken.length > 0
  }

  return {
    job: {
      name: 'sending due webhooks',
      interval: 250,
      atStart: true,
      listen(onEnd: () => void) {
        wake = onEnd
      },
      async run(signal: AbortSignal) {
        while (!signal.aborted && (await startDueEvents(signal)));
      },
    },
    /** Sends nothing while it is held. */
    hold(held: boolean) {
      isHeld = held
    },
    isHeld: () => isHeld,
    /** Sends events until none is due, and waits for the attempts. */
    async sendDue() {
      while ((await startDueEvents(abortController.signal)) || running.size > 0) {
        await Promise.all([...running].map(({ ended }) => ended))
      }
    },
    /** Waits for running attempts, at most 4 s. */
    async drain() {
      const limit = setTimeout(() => abortController.abort(), drainTimeout)
      await Promise.all([...running].map(({ ended }) => ended))
      clearTimeout(limit)
    },
  }
}

/** Attempts a delivery and counts it. Does not throw. */
async function attempt(ctx: Context, event: TakenEvent, signal: AbortSignal): Promise<void> {
  const ids = { app: event.appId, event: event.id }
  try {
    const done = await deliver(ctx, event, signal)
    if (!done) return
    ctx.metrics.webhooks.inc({ outcome: done.outcome })
    if (done.outcome !== 'delivered') {
      ctx.log.info(ids, 'a webhook was not delivered; the delivery log has the reason')
    }
  } catch (error) {
    // Nothing was stored, so the event is retried after its lease.
    ctx.log.warn({ ...ids, err: error }, 'the result of a webhook delivery could not be stored')
  }
}
