import { setMaxListeners } from 'node:events'
import { LRUCache } from 'lru-cache'
import type { WebhookContext } from './context.ts'
import { deliver } from './deliver.ts'
import { listDueApps, type TakenEvent, takeDueEvents } from './store/events.ts'

/** How long other senders leave an event alone that was taken; longer than any attempt, ms. */
const lease = 30_000

/** How long attempts under way get when the server stops, ms; each is broken off after it. */
const patience = 3500

/** Attempts at the same time: of this process, and of one app, so that an endpoint that hangs delays no other. */
const limits = { all: 64, app: 2 }

/**
 * Sends what is due, at each `ctx.webhooks.wake()` and every second. The apps served longest ago come
 * first, however many events they have waiting.
 */
export function createSender(ctx: WebhookContext) {
  const running = new Set<{ readonly appId: string; readonly ended: Promise<void> }>()
  /** When an app was served last, by a count that grows; one that is forgotten comes first. */
  const served = new LRUCache<string, number>({ max: 10_000 })
  let turn = 0
  const breakOff = new AbortController()
  setMaxListeners(0, breakOff.signal)

  const start = (event: TakenEvent) => {
    const send = async () => {
      await attempt(ctx, event, breakOff.signal)
      running.delete(attempted)
      ctx.webhooks.wake()
    }
    const attempted = { appId: event.appId, ended: send() }
    running.add(attempted)
  }

  const roomOf = (id: string) =>
    limits.app - [...running].filter(({ appId }) => appId === id).length

  /** Takes what is due and starts it; gives whether there was any. */
  const takeUp = async (signal: AbortSignal): Promise<boolean> => {
    const free = limits.all - running.size
    if (free <= 0) return false
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
      name: 'reading due webhooks',
      // Events of other processes, and those that become due.
      interval: 1000,
      atStart: true,
      listen: ctx.webhooks.listen,
      async run(signal: AbortSignal) {
        while (!signal.aborted && (await takeUp(signal)));
      },
    },
    /** Waits for the attempts under way, at most 4 s. */
    async drain() {
      const limit = setTimeout(() => breakOff.abort(), patience)
      await Promise.all([...running].map(({ ended }) => ended))
      clearTimeout(limit)
    },
  }
}

/** Makes an attempt, and counts it. Does not throw. */
async function attempt(ctx: WebhookContext, event: TakenEvent, signal: AbortSignal): Promise<void> {
  const ids = { app: event.appId, event: event.id }
  try {
    const done = await deliver(ctx, event, signal)
    if (!done) return
    ctx.metrics.webhooks.inc({ outcome: done.outcome })
    if (done.outcome !== 'delivered') {
      ctx.log.info(ids, 'a webhook was not delivered; its log says why')
    }
  } catch (error) {
    // Nothing was written: the event comes again after its lease.
    ctx.log.warn({ ...ids, err: error }, 'an attempt to deliver a webhook could not be kept')
  }
}
