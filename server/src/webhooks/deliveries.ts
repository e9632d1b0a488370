import { type EndpointTestEvent, isStorable } from '@skillpass/contract'
import { z } from 'zod'
import { inBatches } from '../db/query.ts'
import type { Context } from '../runtime/context.ts'
import { checkLimit } from '../runtime/limits/rate-limiter.ts'
import { type PageRequest, readPage, timePlace } from '../runtime/page-token.ts'
import { dayLength } from '../runtime/time.ts'
import * as store from '../store/webhooks.ts'

export type { DeliveryRecord } from '../store/webhooks.ts'

export const listDeliveries = ({ db }: Context, appId: string, page: PageRequest) =>
  readPage(
    `deliveries ${appId}`,
    timePlace(z.uuid()),
    page,
    (before, limit) => store.listDeliveriesOf(db.read, appId, { before, limit }),
    ({ createdAt, id }) => [createdAt, id],
  )

/** Minimum time between redeliveries of an event, ms. */
const redeliveryInterval = 10_000

/** Makes an event due now, whatever its state. Returns undefined for an unknown id. */
export async function redeliver(ctx: Context, appId: string, id: string) {
  if (!isStorable(id) || !(await store.findDeliveryOf(ctx.db.read, appId, id))) return undefined
  const limit = { key: `redelivery:${id}`, limit: 1, window: redeliveryInterval }
  const { allowed } = await checkLimit(ctx.limiter, limit)
  if (allowed) {
    await ctx.db.write((trx) => store.makeDue(trx, appId, id, ctx.steadyNow()))
  }
  return store.findDeliveryOf(ctx.db.read, appId, id)
}

/** Sends a test to the endpoint of an app. Has no effect within ten seconds after another one. */
export async function sendTestEvent(ctx: Context, appId: string, clientId: string): Promise<void> {
  const limit = { key: `test-event:${appId}`, limit: 1, window: redeliveryInterval }
  if (!(await checkLimit(ctx.limiter, limit)).allowed) return
  const createdAt = ctx.steadyNow()
  const event: z.input<typeof EndpointTestEvent> = {
    event: 'endpoint.test',
    event_ts: createdAt,
    payload: { client_id: clientId, message: 'This is a test. Nobody has removed your app.' },
  }
  const row = { appId, event: event.event, body: JSON.stringify(event), createdAt }
  await ctx.db.write((trx) =>
    store.insertEvent(trx, { ...row, id: ctx.random.uuid(), trace: ctx.trace }),
  )
}

/** How long a completed delivery stays in the log, ms. */
const retention = 30 * dayLength

export async function removeOldDeliveries(ctx: Context): Promise<void> {
  const before = ctx.steadyNow() - retention
  await inBatches(ctx.db, (trx, limit) => store.purgeDoneEvents(trx, before, limit))
}
