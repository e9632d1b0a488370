import { Temporal } from 'temporal-polyfill'
import { isoTime } from '../runtime/time.ts'

/** A point in time with its local time in a time zone. */
export interface LocalTime {
  /** Milliseconds since 1970, whole seconds. */
  readonly time: number
  /** Local time, even if the time zone skips it. */
  readonly clock: Temporal.PlainDateTime
}

/**
 * Parses a date and time of the contract. Without `Z` or an offset, it is local to the time zone.
 * Returns undefined for an invalid date or time.
 */
export function readDateTime(sent: string, timeZone: string): LocalTime | undefined {
  try {
    const text = sent.replace(' ', 'T').toUpperCase()
    if (/(Z|[+-][\d:]+)$/.test(text.slice('2026-11-21'.length))) {
      return localTime(Temporal.Instant.from(text).epochMilliseconds, timeZone)
    }
    const clock = Temporal.PlainDateTime.from(text).round({
      smallestUnit: 'second',
      roundingMode: 'trunc',
    })
    return { time: timeAt(clock, timeZone), clock }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The local time of a point in time (ms), in whole seconds. */
export function localTime(ms: number, timeZone: string): LocalTime {
  const time = Math.floor(ms / 1000) * 1000
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone)
  return { time, clock: zoned.toPlainDateTime() }
}

/**
 * Converts a local time to ms since 1970. A skipped time moves forward by the length of the gap,
 * and of two equal times the first is used (RFC 5545 §3.3.5).
 */
export const timeAt = (clock: Temporal.PlainDateTime, timeZone: string): number =>
  clock.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds

/** ISO 8601 in UTC with whole seconds, as in the meeting API. */
export const wholeSeconds = (ms: number): string => `${isoTime(ms).slice(0, 19)}Z`
