import { z } from 'zod'

/** Dates and times as clients send them: `T` and `Z` may be in lower case (RFC 3339 §5.6). */

/** A point in time: in UTC with `Z`, or with an offset. */
export const SentInstant = z
  .string()
  .toUpperCase()
  .check(z.iso.datetime({ offset: true }))

const dateTime =
  /^(19[7-9]\d|2\d{3})-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)?$/

/**
 * A date and a time of the years 1970 to 2999: in UTC with `Z`, with an offset, or without either, as the
 * clocks of the place show it.
 */
export const SentDateTime = z
  .string()
  .regex(dateTime, 'must be a date and a time, as 2026-11-21T10:00:00Z or 2026-11-21T10:00:00')
