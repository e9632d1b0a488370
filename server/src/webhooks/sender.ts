import { setMaxListeners } from 'node:events'
import { LRUCache } from 'lru-cache'
import { createOutage } from '../runtime/outage.ts'
import type { WebhookContext } from './context.ts'
import { deliver } from './deliver.ts'
import { listDueApps, type TakenEvent, takeDueEvents } from './store/events.ts'

/** How often events of other processes, and those that have become due, are looked for, ms. */
const interval = 1000

/** How long other senders leave an event alone that was taken; longer than any attempt, ms. */
const lease = 30_000

/** How long attempts under way get when the server stops, ms; each is broken off after it. */
const patience = 3500

/** Attempts at the same time: of this process, and of one app, so that an endpoint that hangs delays no other. */
const limits = { all: 64, app: 2 }

/** Sends webhooks until it is stopped. */
export interface Sender {
  /** Takes up no more events and waits, at most 4 s, for the attempts under way. */
  stop(): Promise<void>
}

/**
 * Sends what is due, at each `ctx.webhooks.wake()` and every second. The apps served longest ago come
 * first, however many events they have waiting.
 */
export function startSender(ctx: WebhookContext): Sender {
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
      loop.wake()
    }
    const attempted = { appId: event.appId, ended: send() }
    running.add(attempted)
  }

  const roomOf = (id: string) =>
    limits.app - [...running].filter(({ appId }) => appId === id).length

  /** Takes what is due and starts it; gives whether there was any. */
  const takeUp = async (): Promise<boolean> => {
    const free = limits.all - running.size
    if (free <= 0) return false
    const now = ctx.steadyNow()
    const due = await listDueApps(ctx.db.read, now)
    const apps = due
      .filter((appId) => roomOf(appId) > 0)
      .sort((a, b) => (served.get(a) ?? 0) - (served.get(b) ?? 0))
      .slice(0, free)
    if (apps.length === 0 || loop.isStopped()) return false
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

  const loop = startLoop(ctx, takeUp)
  return {
    async stop() {
      await loop.stop()
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

/** Calls `takeUp` until it finds nothing, at each wake and every second. */
function startLoop(ctx: WebhookContext, takeUp: () => Promise<boolean>) {
  let stopped = false
  let looking: Promise<void> | undefined
  let again = false
  const outage = createOutage(
    ctx.log,
    'webhooks that are due could not be read, trying again',
    'webhooks that are due are read again',
  )
  const look = async () => {
    try {
      do {
        again = false
        while (!stopped && (await takeUp()));
      } while (again && !stopped)
      outage.worked()
    } catch (error) {
      outage.failed({ err: error })
    }
    looking = undefined
  }
  const wake = () => {
    if (stopped) return
    again = true
    looking ??= look()
  }
  const timer = setInterval(wake, interval)
  timer.unref()
  ctx.webhooks.listen(wake)
  // Once whoever starts it holds it.
  queueMicrotask(wake)
  return {
    wake,
    isStopped: () => stopped,
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
    },
  }
}
