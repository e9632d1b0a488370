import { z } from 'zod'

const dateTime =
  /^(19[7-9]\d|2\d{3})-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)?$/

/**
 * A date and a time as clients send it, of the years 1970 to 2999: in UTC with `Z`, with an offset,
 * or without either, as the clocks of the place show it. `T` and `Z` may be in lower case (RFC 3339 §5.6).
 */
export const DateTime = z
  .string()
  .regex(dateTime, 'must be a date and a time, as 2026-11-21T10:00:00Z or 2026-11-21T10:00:00')

/** A point in time, ISO 8601 in UTC. */
export const Instant = z.iso
  .datetime()
  .meta({ description: 'ISO 8601, UTC.', example: '2026-11-21T09:30:00.000Z' })
