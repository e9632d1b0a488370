import type { Recurrence } from '@skillpass/contract'
import { Temporal } from 'temporal-polyfill'
import type { z } from 'zod'
import { type LocalTime, timeAt } from './time-zones.ts'

/** When a meeting recurs, in the shape of the contract. */
export type RecurrenceRule = z.output<typeof Recurrence>

/** The rule with all that the start decides where it says nothing itself. */
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
 * The times (ms) of a complete rule from the start on, in order, `limit` at most. All show the same
 * time on the clocks of the time zone, unless the clocks skip it; days that the place skips have none.
 */
export function expandRule(
  rule: RecurrenceRule,
  start: LocalTime,
  timeZone: string,
  limit: number,
): number[] {
  const { end_times, end_date_time } = rule
  const most = Math.min(end_times ?? limit, limit)
  const last = end_date_time === undefined ? Number.POSITIVE_INFINITY : Date.parse(end_date_time)
  const first = start.clock.toPlainDate()
  const times: number[] = []
  for (const date of datesOf(rule, first)) {
    // The start says which it is, where the clocks show its time twice.
    const time = date.equals(first)
      ? start.time
      : timeAt(date.toPlainDateTime(start.clock.toPlainTime()), timeZone)
    if (times.length === most || time > last) break
    // The time of a day that the place has skipped is moved on to that of the next day.
    if (time > (times.at(-1) ?? Number.NEGATIVE_INFINITY)) times.push(time)
  }
  return times
}

function* datesOf(rule: RecurrenceRule, first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let round = 0; ; round++) {
    for (const date of roundOf(rule, first, round * rule.repeat_interval)) {
      if (Temporal.PlainDate.compare(date, first) >= 0) yield date
    }
  }
}

/** The days of a rule in the day, week or month that lies so many behind that of the first. */
function roundOf(
  rule: RecurrenceRule,
  first: Temporal.PlainDate,
  distance: number,
): Temporal.PlainDate[] {
  if (rule.type === 1) return [first.add({ days: distance })]
  if (rule.type === 2) {
    const sunday = first.subtract({ days: weekdayOf(first) - 1 }).add({ weeks: distance })
    const days = [...new Set(rule.weekly_days?.split(',').map(Number))].sort()
    return days.map((day) => sunday.add({ days: day - 1 }))
  }
  const month = first.toPlainYearMonth().add({ months: distance })
  const day = dayOf(rule, month)
  // RFC 5545 §3.3.10: a month without this day is left out.
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
