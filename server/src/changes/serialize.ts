import { RegistryEventType } from '@skillpass/contract'
import { isoTime } from '../runtime/time.ts'
import type { WebhookRecord } from '../store/organizations/webhooks.ts'
import type { DeliveryRecord } from '../store/webhooks.ts'

interface ShownWebhook {
  readonly webhook: WebhookRecord
  readonly delivery?: DeliveryRecord | undefined
}

export const serializeWebhook = ({ webhook, delivery }: ShownWebhook) => ({
  id: webhook.id,
  url: webhook.url,
  events: RegistryEventType.array().parse(webhook.events.split(' ')),
  createdAt: isoTime(webhook.createdAt),
  lastDelivery: delivery
    ? {
        type: RegistryEventType.parse(delivery.event),
        at: isoTime(delivery.createdAt),
        status: delivery.state,
        error: delivery.attempts.at(-1)?.error ?? null,
      }
    : null,
})
