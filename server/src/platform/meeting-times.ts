import { maxOccurrences, NewRecurrence, type RecurrenceChanges } from '@skillpass/contract'
import type { z } from 'zod'
import { failField } from '../errors/failure.ts'
import { completeRule, expandRule, type RecurrenceRule } from './recurrence.ts'
import type { MeetingRecord } from './store/meetings.ts'
import { type LocalTime, readDateTime, wholeSeconds } from './time-zones.ts'

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
export const readStart = (sent: string, timezone: string): LocalTime =>
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
  failField('body', path, message)
}
