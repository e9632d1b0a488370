import { type Delivery, platformContract } from '@skillpass/contract'
import type { Response } from 'express'
import type { z } from 'zod'
import { fail, failField } from '../../errors/failure.ts'
import { ok, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { isoTime } from '../../runtime/time.ts'
import { type DeliveryRecord, listDeliveries, redeliver } from '../../webhooks/deliveries.ts'
import { validateEndpoint } from '../../webhooks/validate.ts'
import { getManagedApp } from '../apps/apps.ts'
import { developerOfToken } from '../apps/developer.ts'

export const deliveriesRoutes = (ctx: Context) => {
  const managed = async (res: Response, appId: string) =>
    getManagedApp(ctx, await developerOfToken(ctx, bearerOf(res)), appId)
  return router(platformContract.deliveries, {
    validateEndpoint: async ({ params, res }) => {
      const { id } = await managed(res, params.appId)
      const message = await validateEndpoint(ctx, id)
      if (message !== undefined) failField('body', 'deauthorization_url', message)
      return ok({ status: 'valid' as const })
    },
    list: async ({ params, query: { page_size, next_page_token }, res }) => {
      const { id } = await managed(res, params.appId)
      const found = await listDeliveries(ctx, id, { after: next_page_token, limit: page_size })
      return ok({
        page_size,
        next_page_token: found.nextPageToken,
        deliveries: found.items.map(serializeDelivery),
      })
    },
    redeliver: async ({ params, req, res }) => {
      const { id } = await managed(res, params.appId)
      const delivery = await redeliver(forRequest(ctx, req), id, params.deliveryId)
      if (!delivery) fail('app_not_found', 'The app has no delivery with this id.')
      return ok(serializeDelivery(delivery))
    },
  })
}

const serializeDelivery = (delivery: DeliveryRecord): z.output<typeof Delivery> => ({
  id: delivery.id,
  event: delivery.event,
  created_at: isoTime(delivery.createdAt),
  status: delivery.state,
  next_attempt_at: delivery.nextAttemptAt === null ? null : isoTime(delivery.nextAttemptAt),
  attempts: delivery.attempts.map(({ startedAt, durationMs, status, error }) => ({
    at: isoTime(startedAt),
    duration_ms: durationMs,
    status,
    error,
  })),
})
