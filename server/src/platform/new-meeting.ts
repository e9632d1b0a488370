import { maxOccurrences, type NewMeeting } from '@skillpass/contract'
import type { z } from 'zod'
import { failField } from '../errors/failure.ts'
import type { PlatformContext } from './context.ts'
import { newMeetingKeys } from './meeting-number.ts'
import { completeRule, expandRule, type RecurrenceRule } from './recurrence.ts'
import type { MeetingRecord } from './store/meetings.ts'
import type { OccurrenceRecord } from './store/occurrences.ts'
import type { UserRecord } from './store/user-record.ts'
import { type LocalTime, localTime, readDateTime, wholeSeconds } from './time-zones.ts'

export type NewMeetingInput = z.output<typeof NewMeeting>

/** Builds a meeting from a request. Throws validation_failed. */
export function planMeeting(
  ctx: Pick<PlatformContext, 'clock' | 'encryption' | 'random'>,
  host: UserRecord,
  input: NewMeetingInput,
) {
  const { type, duration, start_time: sent, timezone = host.timezone } = input
  const now = ctx.clock.now()
  const keys = newMeetingKeys(ctx, input.password)
  const start = () => (sent === undefined ? localTime(now, timezone) : readStart(sent, timezone))
  const rule = input.recurrence && ruleOf(input.recurrence)
  const stored = storedTimesOf(type, duration, planTimes(type, timezone, rule, start))
  return {
    meeting: {
      ...keys,
      hostId: host.id,
      accountId: host.accountId,
      topic: input.topic?.trim() || 'My Meeting',
      type,
      ...stored.span,
      duration,
      timezone,
      agenda: input.agenda,
      settings: input.settings ?? {},
      createdAt: now,
      startedAt: null,
      endedAt: null,
    },
    occurrences: stored.occurrences,
  }
}

/** Start times of a meeting (ms), and its recurrence rule. */
export interface Times {
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

/** Converts times to stored fields: start, end (ms), rule, and occurrences for type 8. */
export function storedTimesOf(
  type: MeetingRecord['type'],
  duration: number,
  { starts, rule }: Times,
) {
  const [first, last] = [starts[0], starts.at(-1)]
  const span: Pick<MeetingRecord, 'startTime' | 'endTime' | 'recurrence'> = {
    startTime: first ?? null,
    endTime: last === undefined ? null : last + duration * 60_000,
    recurrence: rule === undefined ? null : { ...rule },
  }
  const occurrences: OccurrenceRecord[] =
    type === 8 ? starts.map((startTime) => ({ startTime, duration })) : []
  return { span, occurrences }
}

/** Parses a `start_time`. Throws validation_failed. */
export const readStart = (sent: string, timezone: string): LocalTime =>
  readDateTime(sent, timezone) ?? refuse('start_time', 'must be a valid date and time')

/** Parses a rule. `end_times` overrides `end_date_time`. Throws validation_failed. */
export function ruleOf(recurrence: NonNullable<NewMeetingInput['recurrence']>): RecurrenceRule {
  const { end_date_time: sent, ...rule } = recurrence
  if (sent === undefined || rule.end_times !== undefined) return rule
  const end = readDateTime(sent, 'UTC')
  if (!end) refuse('recurrence.end_date_time', 'must be a valid date and time')
  return { ...rule, end_date_time: wholeSeconds(end.time) }
}

function refuse(path: string, message: string): never {
  failField('body', path, message)
}
