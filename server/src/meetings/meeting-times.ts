import {
  maxOccurrences,
  NewRecurrence,
  type Recurrence,
  type RecurrenceChanges,
} from '@skillpass/contract'
import { Temporal } from 'temporal-polyfill'
import type { z } from 'zod'
import { refuseField } from '../errors/failure.ts'
import { isoTime } from '../runtime/time.ts'
import type { MeetingRecord } from '../store/platform/meetings.ts'

/** Start times of a meeting (ms), and its recurrence rule. */
interface Times {
  readonly starts: readonly number[]
  readonly rule?: RecurrenceRule | undefined
}

/**
 * Calculates the times of a meeting, at most `maxOccurrences`. Calls `startOf` only if the type has
 * a start. Throws validation_failed.
 */
export function planTimes(
  type: MeetingRecord['type'],
  timezone: string,
  rule: RecurrenceRule | undefined,
  startOf: () => LocalTime,
): Times {
  if (type === 1 || type === 4) return { starts: [] }
  if (type === 3) return { starts: [], rule }
  const start = startOf()
  if (type === 2) return { starts: [start.time] }
  if (rule === undefined) refuse('recurrence', 'is required for a meeting of type 8')
  const complete = completeRule(rule, start)
  const starts = expandRule(complete, start, timezone, maxOccurrences + 1)
  const field = 'recurrence.end_date_time'
  if (starts.length === 0) refuse(field, 'must not be before the first occurrence')
  if (starts.length > maxOccurrences) {
    refuse(field, `must allow at most ${maxOccurrences} occurrences`)
  }
  return { starts, rule: complete }
}

/** Parses a `start_time`. Throws validation_failed. */
export const parseStart = (sent: string, timezone: string): LocalTime =>
  readDateTime(sent, timezone) ?? refuse('start_time', 'must be a valid date and time')

type RuleChanges = z.output<typeof RecurrenceChanges>

/**
 * Joins a part of a rule with the rest of the former one, or with its end alone if the type
 * changes. Throws validation_failed.
 */
export function joinRule(former: RuleChanges = {}, sent: RuleChanges): RecurrenceRule {
  const { end_times, end_date_time, ...days } = former
  const keepsType = sent.type === undefined || sent.type === former.type
  const { monthly_day, monthly_week, monthly_week_day, ...rest }: RuleChanges = keepsType
    ? days
    : {}
  const hasEnd = sent.end_times !== undefined || sent.end_date_time !== undefined
  const hasWeek = sent.monthly_week !== undefined || sent.monthly_week_day !== undefined
  const joined = NewRecurrence.safeParse({
    ...rest,
    ...(!hasEnd && { end_times, end_date_time }),
    ...(!hasWeek && { monthly_day }),
    ...(sent.monthly_day === undefined && { monthly_week, monthly_week_day }),
    ...sent,
  })
  if (joined.success) return endOnce(joined.data)
  const { path = [], message = '' } = joined.error.issues[0] ?? {}
  return refuse(['recurrence', ...path].join('.'), message)
}

/** Keeps one of two ends: a positive `end_times`, and otherwise `end_date_time`. */
function endOnce({ end_date_time: sent, end_times, ...rule }: z.output<typeof NewRecurrence>) {
  if (sent === undefined || end_times) return { ...rule, end_times }
  const end = readDateTime(sent, 'UTC')
  if (!end) refuse('recurrence.end_date_time', 'must be a valid date and time')
  return { ...rule, end_date_time: wholeSeconds(end.time) }
}

function refuse(path: string, message: string): never {
  refuseField('body', path, message)
}

export type RecurrenceRule = z.output<typeof Recurrence>

/** Fills in the omitted fields of a rule from the start. */
export function completeRule(rule: RecurrenceRule, { clock }: LocalTime): RecurrenceRule {
  const { type, repeat_interval, end_times, end_date_time } = rule
  const end = end_date_time === undefined ? { end_times: end_times ?? 1 } : { end_date_time }
  return { type, repeat_interval, ...daysOf(rule, clock), ...end }
}

function daysOf(rule: RecurrenceRule, clock: Temporal.PlainDateTime): Partial<RecurrenceRule> {
  const { type, weekly_days, monthly_day, monthly_week, monthly_week_day } = rule
  if (type === 1) return {}
  if (type === 2) return { weekly_days: weekly_days ?? `${weekdayOf(clock)}` }
  if (monthly_week !== undefined) return { monthly_week, monthly_week_day }
  return { monthly_day: monthly_day ?? clock.day }
}

/**
 * Returns up to `limit` times (ms) of a complete rule, in order. All have the same local time,
 * moved forward where a clock change skips it. Days that the time zone skips have no occurrence.
 */
export function expandRule(
  rule: RecurrenceRule,
  start: LocalTime,
  timeZone: string,
  limit: number,
): number[] {
  const { end_times, end_date_time } = rule
  const count = Math.min(end_times === 0 ? maxOccurrences : (end_times ?? limit), limit)
  const last = end_date_time === undefined ? Number.POSITIVE_INFINITY : Date.parse(end_date_time)
  const first = start.clock.toPlainDate()
  const times: number[] = []
  for (const date of datesOf(rule, first)) {
    // The start is unambiguous even if its local time occurs twice.
    const time = date.equals(first)
      ? start.time
      : timeAt(date.toPlainDateTime(start.clock.toPlainTime()), timeZone)
    if (times.length === count || time > last) break
    // A skipped day would get the time of the next day.
    if (time > (times.at(-1) ?? Number.NEGATIVE_INFINITY)) times.push(time)
  }
  return times
}

function* datesOf(rule: RecurrenceRule, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let round = 0; ; round++) {
    for (const date of datesInPeriod(rule, first, round * rule.repeat_interval)) {
      if (Temporal.PlainDate.compare(date, first) >= 0) yield date
    }
  }
}

/** Dates of a rule in the day, week or month that is `distance` after the first. */
function datesInPeriod(rule: RecurrenceRule, first: Temporal.PlainDate, distance: number) {
  if (rule.type === 1) return [first.add({ days: distance })]
  if (rule.type === 2) {
    const sunday = first.subtract({ days: weekdayOf(first) - 1 }).add({ weeks: distance })
    const days = [...new Set(rule.weekly_days?.split(',').map(Number))].sort()
    return days.map((day) => sunday.add({ days: day - 1 }))
  }
  const month = first.toPlainYearMonth().add({ months: distance })
  const day = dayOf(rule, month)
  // RFC 5545 §3.3.10: skip months without this day.
  return day > month.daysInMonth ? [] : [month.toPlainDate({ day })]
}

function dayOf(rule: RecurrenceRule, month: Temporal.PlainYearMonth): number {
  const { monthly_week, monthly_week_day = 1, monthly_day = 1 } = rule
  if (monthly_week === undefined) return monthly_day
  const firstDay = weekdayOf(month.toPlainDate({ day: 1 }))
  const firstOfKind = 1 + ((monthly_week_day - firstDay + 7) % 7)
  if (monthly_week > 0) return firstOfKind + 7 * (monthly_week - 1)
  return firstOfKind + 7 * Math.floor((month.daysInMonth - firstOfKind) / 7)
}

/** 1 is Sunday, 7 is Saturday. */
const weekdayOf = ({ dayOfWeek }: { dayOfWeek: number }): number => (dayOfWeek % 7) + 1

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
 * The local time of a series from its first two planned dates. If the zone skips the clock of the
 * first date, the second one still has it. The skipped clock may be of the day before.
 */
export function startOfSeries(planned: number, next: number | undefined, timeZone: string) {
  const first = localTime(planned, timeZone)
  const time = localTime(next ?? planned, timeZone).clock.toPlainTime()
  const clocks = [0, 1].map((days) => first.clock.subtract({ days }).withPlainTime(time))
  return { ...first, clock: clocks.find((one) => timeAt(one, timeZone) === planned) ?? first.clock }
}

const zonedEpoch = (timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)

/** Whether two names are of one time zone, in any letter case: Asia/Calcutta is Asia/Kolkata. */
export const isSameZone = (one: string, other: string): boolean =>
  zonedEpoch(one).equals(zonedEpoch(other))

/**
 * Converts a local time to ms since 1970. A skipped time moves forward by the length of the gap,
 * and of two equal times the first is used (RFC 5545 §3.3.5).
 */
const timeAt = (clock: Temporal.PlainDateTime, timeZone: string): number =>
  clock.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds

/** ISO 8601 in UTC with whole seconds, as in the meeting API. */
export const wholeSeconds = (ms: number): string => `${isoTime(ms).slice(0, 19)}Z`
