import { z } from 'zod'

/** A point in time with `Z` or an offset. Accepts `t` and `z` in lower case (RFC 3339 §5.6). */
export const SentInstant = z
  .string()
  .toUpperCase()
  .check(z.iso.datetime({ offset: true }))

const dateTime =
  /^(19[7-9]\d|2\d{3})-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)?$/

/** A date and time from 1970 to 2999, with `Z` or an offset, or local time without either. */
export const SentDateTime = z
  .string()
  .regex(dateTime, 'must be a date and time such as 2026-11-21T10:00:00Z or 2026-11-21T10:00:00')
