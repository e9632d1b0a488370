import { setMaxListeners } from 'node:events'
import { LRUCache } from 'lru-cache'
import { createOutage } from '../runtime/outage.ts'
import type { WebhookContext } from './context.ts'
import { deliver } from './deliver.ts'
import { type AttemptShare, limits, type Running, shareOut } from './shares.ts'
import { listDueApps, type TakenEvent, takeDueEvents } from './store/events.ts'

/** How often events of other processes, and those that have become due, are looked for, ms. */
const interval = 1000

/** How long other senders leave an event alone that was taken; longer than any attempt, ms. */
const lease = 30_000

/** How long attempts under way get when the server stops, ms; each is broken off after it. */
const patience = 3500

/** Apps whose last attempt is remembered; one that is forgotten counts as new. */
const remembered = 10_000

/** Sends webhooks until it is stopped. */
export interface Sender {
  /** Takes up no more events and waits, at most 4 s, for the attempts under way. */
  stop(): Promise<void>
}

interface Attempt extends Running {
  readonly ended: Promise<void>
}

/**
 * Sends what is due, at each `ctx.webhooks.wake()` and every second. Every app has a share of the
 * attempts, and an endpoint that fails the least, so that none waits for another's.
 */
export function startSender(ctx: WebhookContext): Sender {
  const running = new Set<Attempt>()
  /** Apps whose last event was taken. */
  const proven = new LRUCache<string, true>({ max: remembered })
  /** When an app was served last, by a count that grows. */
  const served = new LRUCache<string, number>({ max: remembered })
  let turn = 0
  const breakOff = new AbortController()
  setMaxListeners(0, breakOff.signal)

  const start = ({ appId, isProven }: Running, event: TakenEvent) => {
    const send = async () => {
      const arrived = await attempt(ctx, event, breakOff.signal)
      if (arrived) proven.set(appId, true)
      else if (arrived === false) proven.delete(appId)
      running.delete(attempted)
      loop.wake()
    }
    const attempted: Attempt = { appId, isProven, ended: send() }
    running.add(attempted)
  }

  /** Takes what is due and starts it; gives whether there was any. */
  const takeUp = async (): Promise<boolean> => {
    if (running.size >= limits.all) return false
    const now = ctx.steadyNow()
    const due = await listDueApps(ctx.db.read, now)
    const waiting = due.map(({ appId, isValidated }) => ({
      appId,
      isProven: isValidated && proven.has(appId),
      servedAt: served.get(appId) ?? 0,
    }))
    const shares = shareOut(waiting, [...running])
    if (shares.length === 0 || loop.isStopped()) return false
    const taken = await takeShares(ctx, shares, now)
    for (const [share, events] of taken) {
      served.set(share.appId, ++turn)
      for (const event of events) start(share, event)
    }
    return taken.some(([, events]) => events.length > 0)
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

/** Makes an attempt; gives whether the event arrived, or nothing where nobody knows. Does not throw. */
async function attempt(
  ctx: WebhookContext,
  event: TakenEvent,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const ids = { app: event.appId, event: event.id }
  try {
    const done = await deliver(ctx, event, signal)
    if (!done) return undefined
    ctx.metrics.webhooks.inc({ outcome: done.outcome })
    if (done.outcome === 'delivered') return true
    ctx.log.info(ids, 'a webhook was not delivered; its log says why')
    return false
  } catch (error) {
    // Nothing was written: the event comes again after its lease.
    ctx.log.warn({ ...ids, err: error }, 'an attempt to deliver a webhook could not be kept')
    return undefined
  }
}

/** Takes the due events of each app, as many as its share is, for the time of a lease. */
const takeShares = (ctx: WebhookContext, shares: readonly AttemptShare[], now: number) =>
  ctx.db.write(async (trx) => {
    const taken: [AttemptShare, TakenEvent[]][] = []
    for (const share of shares) {
      const due = { appId: share.appId, now, limit: share.limit, leasedUntil: now + lease }
      taken.push([share, await takeDueEvents(trx, due)])
    }
    return taken
  })

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
