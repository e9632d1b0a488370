import { maxOccurrences, type Recurrence } from '@skillpass/contract'
import { Temporal } from 'temporal-polyfill'
import type { z } from 'zod'
import { type LocalTime, timeAt } from './time-zones.ts'

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
