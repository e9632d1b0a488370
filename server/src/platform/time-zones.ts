import { Temporal } from 'temporal-polyfill'
import { isoTime } from '../runtime/time.ts'

/** A moment as somebody means it who looks at the clocks of a place. */
export interface LocalTime {
  /** Milliseconds since 1970, whole seconds. */
  readonly time: number
  /** What the clocks show, or would show where they skip it. */
  readonly clock: Temporal.PlainDateTime
}

/**
 * Reads a date and a time in the contract's form: with `Z` or an offset it says itself which moment
 * it is, else the clocks of the time zone do. Nothing for a day or an hour that does not exist.
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

/** A moment (ms) as the clocks of a time zone show it, without parts of a second. */
export function localTime(ms: number, timeZone: string): LocalTime {
  const time = Math.floor(ms / 1000) * 1000
  const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone)
  return { time, clock: zoned.toPlainDateTime() }
}

/**
 * When the clocks show this, ms since 1970: what they skip is moved on by as much as they skip, and
 * of what they show twice it is the first (RFC 5545 §3.3.5).
 */
export const timeAt = (clock: Temporal.PlainDateTime, timeZone: string): number =>
  clock.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds

/** ISO 8601 in UTC with whole seconds, as the meeting API writes times. */
export const wholeSeconds = (ms: number): string => `${isoTime(ms).slice(0, 19)}Z`
