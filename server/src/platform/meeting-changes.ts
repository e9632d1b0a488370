import { type MeetingChanges, Recurrence } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../errors/failure.ts'
import type { PlatformContext } from './context.ts'
import { planTimes, readStart, ruleOf, storedTimesOf, type Times } from './new-meeting.ts'
import type { MeetingRecord } from './store/meetings.ts'
import type { OccurrenceRecord } from './store/occurrences.ts'
import { localTime } from './time-zones.ts'

export type MeetingChangesInput = z.output<typeof MeetingChanges>

export interface KnownMeeting {
  readonly meeting: MeetingRecord
  readonly occurrences: readonly OccurrenceRecord[]
}

/**
 * Applies changes to a meeting. Recalculates its occurrences if its times change; a new duration
 * alone does not restore removed occurrences. Throws validation_failed, not_allowed_now.
 */
export function changeMeeting(
  ctx: PlatformContext,
  { meeting, occurrences }: KnownMeeting,
  changes: MeetingChangesInput,
): KnownMeeting {
  requirePossible(meeting, changes)
  const { duration = meeting.duration, timezone = meeting.timezone } = changes
  const type = changes.type ?? meeting.type
  const times = timesOf(ctx.clock.now(), { meeting, occurrences }, changes)
  const stored = storedTimesOf(type, duration, times)
  return {
    meeting: {
      ...meeting,
      topic: changes.topic?.trim() || meeting.topic,
      type,
      ...stored.span,
      duration,
      timezone,
      agenda: changes.agenda ?? meeting.agenda,
      password:
        changes.password === undefined
          ? meeting.password
          : ctx.encryption.seal('passcode', meeting.uuid, changes.password),
      settings: { ...meeting.settings, ...changes.settings },
    },
    occurrences: stored.occurrences,
  }
}

function timesOf(
  now: number,
  { meeting, occurrences }: KnownMeeting,
  changes: MeetingChangesInput,
): Times {
  const { type = meeting.type, timezone = meeting.timezone, start_time: sent } = changes
  const former = meeting.recurrence === null ? undefined : Recurrence.parse(meeting.recurrence)
  const rule = changes.recurrence ? ruleOf(changes.recurrence) : former
  const begin = meeting.startTime ?? now
  const start = () => (sent === undefined ? localTime(begin, timezone) : readStart(sent, timezone))
  const isUnchanged =
    type === meeting.type &&
    timezone === meeting.timezone &&
    changes.recurrence === undefined &&
    (sent === undefined || start().time === meeting.startTime)
  if (!isUnchanged) return planTimes(type, timezone, rule, start)
  if (type === 8) return { starts: occurrences.map(({ startTime }) => startTime), rule }
  return { starts: meeting.startTime === null ? [] : [meeting.startTime], rule }
}

function requirePossible({ type: former }: MeetingRecord, changes: MeetingChangesInput): void {
  const { type = former, start_time, recurrence, schedule_for } = changes
  if (former === 4 && (type !== 4 || start_time || recurrence || schedule_for)) {
    fail('not_allowed_now', 'The host, type and times of a personal meeting cannot be changed.')
  }
  if (type !== former && (type === 1 || former === 1)) {
    fail('not_allowed_now', 'A meeting cannot be changed to or from type 1.')
  }
}
