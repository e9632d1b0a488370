import type { DeliveryFilter, Release } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import { listAllDeliveries, makeDue } from '../../store/webhooks.ts'
import { deliver } from '../../webhooks/deliver.ts'
import type { Sender } from '../../webhooks/sender.ts'
import { serializeDelivery } from '../../webhooks/serialize.ts'
import type { Names } from './names.ts'
import { waitFor } from './wait-for.ts'

type Filter = z.input<typeof DeliveryFilter>

/** Sends webhooks on command, and lists what was sent. */
export function createWebhooks(ctx: Context, sender: Sender, names: Names) {
  const seen = new Set<string>()
  const find = async ({ event, app }: Filter) => {
    const appId = app && names.appId(app)
    const all = await listAllDeliveries(ctx.db.read)
    return all.filter((one) => (!event || one.event === event) && (!appId || one.appId === appId))
  }
  const serialize = (delivery: Awaited<ReturnType<typeof find>>[number]) => ({
    ...serializeDelivery(delivery),
    app: names.appName(delivery.appId),
    body: JSON.parse(delivery.body) as unknown,
  })

  return {
    /** Lists deliveries with their attempts, oldest first. */
    list: async (filter: Filter = {}) => (await find(filter)).map(serialize),
    /**
     * Waits for an event that no earlier call returned, and for its first attempt. Throws NOT_FOUND
     * after `timeout` ms of real time.
     */
    async next(event?: string, { timeout = 5000, ...filter }: Filter & { timeout?: number } = {}) {
      const delivery = await waitFor(timeout, async () => {
        await sender.sendDue()
        const all = await find({ ...filter, event })
        return all.find(({ id, attempts }) => attempts.length > 0 && !seen.has(id))
      })
      if (!delivery) {
        const events = (await find(filter)).map((one) => one.event)
        const others =
          events.length === 0 ? 'There are no events' : `There are: ${events.join(', ')}`
        return fail('NOT_FOUND', `No ${event ?? 'event'} was sent within ${timeout} ms. ${others}.`)
      }
      seen.add(delivery.id)
      return serialize(delivery)
    },
    /** Sends what is due now, and waits for the answers. */
    flush: sender.sendDue,
    /** Sends an event again, now. Throws NOT_FOUND. */
    async redeliver(id: string) {
      const known = (await find({})).find((one) => one.id === id)
      if (!known) return fail('NOT_FOUND', `There is no delivery ${id}.`)
      await ctx.db.write((trx) => makeDue(trx, known.appId, id, ctx.steadyNow()))
      await sender.sendDue()
      const sent = (await find({})).find((one) => one.id === id)
      return serialize(sent ?? known)
    },
    /** Sends nothing until `release`. */
    hold: () => sender.hold(true),
    /** Sends what was held, one after another. */
    async release({ order, copies = 1 }: z.input<typeof Release> = {}) {
      const now = ctx.steadyNow()
      const due = (await find({})).filter(({ nextAttemptAt }) => (nextAttemptAt ?? now + 1) <= now)
      const { signal } = new AbortController()
      for (const event of order === 'reversed' ? due.reverse() : due) {
        const taken = { ...event, leasedUntil: event.nextAttemptAt ?? now }
        for (let copy = 0; copy < copies; copy++) await deliver(ctx, taken, signal)
      }
      sender.hold(false)
      await sender.sendDue()
    },
    /** Forgets what `next` returned. */
    forget() {
      seen.clear()
      sender.hold(false)
    },
  }
}
