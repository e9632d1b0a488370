import { demo, WebhookEvent } from '@skillpass/contract'
import express, { Router } from 'express'
import type { Context } from '../runtime/context.ts'
import { findEndpoint } from '../store/webhooks.ts'
import { secretsOf, signText } from '../webhooks/sign.ts'

export const demoEventsPath = '/demo/events'

/**
 * Webhook receiver of the demo app, so that a development server has deliveries to show. It
 * responds to validations (spec/decisions.md#endpoint-validation) and accepts all other events.
 */
export function demoReceiver(ctx: Context): Router {
  const router = Router()
  if (ctx.config.environment !== 'development') return router
  router.post(demoEventsPath, express.json({ limit: '16kb' }), async (req, res) => {
    const { data } = WebhookEvent.safeParse(req.body)
    const endpoint = await findEndpoint(ctx.db.read, demo.apps.scheduler.id)
    if (data?.event !== 'endpoint.url_validation' || !endpoint) {
      res.status(204).end()
      return
    }
    const { plainToken } = data.payload
    res.json({ plainToken, encryptedToken: signText(secretsOf(ctx, endpoint).current, plainToken) })
  })
  return router
}
