import type { Delivery } from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../runtime/time.ts'
import type { DeliveryRecord } from './deliveries.ts'

export const serializeDelivery = (delivery: DeliveryRecord): z.output<typeof Delivery> => ({
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
