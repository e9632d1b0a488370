import { z } from 'zod'

/** A point in time, ISO 8601 in UTC. */
export const Instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-21T09:30:00.000Z' })
