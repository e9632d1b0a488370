import { type Delivery, platformContract } from '@skillpass/contract'
import type { Response } from 'express'
import type { z } from 'zod'
import { from } from '../../audit/origin.ts'
import { ok, router } from '../../http/handlers.ts'
import type { OAuthContext } from '../../oauth/context.ts'
import { bearerOf } from '../../platform/routes/bearer.ts'
import { isoTime } from '../../runtime/time.ts'
import type { DeliveryRecord } from '../../webhooks/store/deliveries.ts'
import { listManagedDeliveries, redeliverManaged, validateManagedEndpoint } from '../deliveries.ts'
import { developerOfToken } from '../developer.ts'

const { deliveries } = platformContract

/** Webhooks of an app as those who develop it see them. */
export const deliveriesRoutes = (ctx: OAuthContext) => {
  const developer = (res: Response) => developerOfToken(ctx, bearerOf(res))
  return router(deliveries, {
    validateEndpoint: async ({ params: { appId }, res }) => {
      await validateManagedEndpoint(ctx, await developer(res), appId)
      return ok({ status: 'valid' as const })
    },
    list: async ({ params: { appId }, query: { page_size, next_page_token }, res }) => {
      const page = { after: next_page_token, limit: page_size }
      const found = await listManagedDeliveries(ctx, await developer(res), appId, page)
      return ok({
        page_size,
        next_page_token: found.nextPageToken,
        deliveries: found.items.map(serializeDelivery),
      })
    },
    redeliver: async ({ params: { appId, deliveryId }, req, res }) =>
      ok(
        serializeDelivery(
          await redeliverManaged(from(ctx, req), await developer(res), appId, deliveryId),
        ),
      ),
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
