import { isDeepStrictEqual } from 'node:util'
import { type MeetingChanges, type NewMeeting, Recurrence } from '@skillpass/contract'
import type { z } from 'zod'
import { fail, refuseField } from '../errors/failure.ts'
import { blankMeeting, randomMeetingNumber } from '../people/meeting-access.ts'
import type { Context } from '../runtime/context.ts'
import type { MeetingRecord, OccurrenceRecord } from '../store/platform/meetings.ts'
import type { UserRecord } from '../store/platform/users.ts'
import {
  completeRule,
  isSameZone,
  joinRule,
  localTime,
  parseStart,
  planTimes,
  startOfSeries,
  wholeSeconds,
} from './meeting-times.ts'

export type NewMeetingInput = z.output<typeof NewMeeting>
export type MeetingChangesInput = z.output<typeof MeetingChanges>

/** Builds a meeting from a request. Throws validation_failed. */
export function planMeeting(ctx: Context, host: UserRecord, input: NewMeetingInput): KnownMeeting {
  const id = randomMeetingNumber(ctx.random, 11)
  const meeting = blankMeeting(ctx, host, { id, type: input.type, topic: 'My Meeting' })
  return changeMeeting(ctx, { meeting, occurrences: [] }, input)
}

/**
 * Applies changes to a meeting. Occurrences whose planned dates remain are kept. Throws
 * validation_failed, not_allowed_now.
 */
export function changeMeeting(
  ctx: Context,
  known: KnownMeeting,
  changes: MeetingChangesInput,
  hostId = known.meeting.hostId,
): KnownMeeting {
  const { meeting } = known
  requirePossible(meeting, changes)
  const { duration = meeting.duration, timezone = meeting.timezone, type = meeting.type } = changes
  const { occurrences, rule = null } = plan(ctx.clock.now(), known, changes)
  return {
    meeting: {
      ...meeting,
      hostId,
      topic: changes.topic?.trim() || meeting.topic,
      type,
      ...spanOf(occurrences),
      recurrence: rule,
      duration,
      timezone,
      agenda: changes.agenda ?? meeting.agenda,
      password:
        changes.password === undefined
          ? meeting.password
          : ctx.encryption.seal('passcode', meeting.uuid, changes.password),
      settings: { ...meeting.settings, ...changes.settings },
    },
    occurrences: type === 8 ? occurrences : [],
  }
}

/** Changes one occurrence. Ignores fields that only a meeting has. Throws meeting_not_found. */
export const changeOccurrence = (known: KnownMeeting, id: string, changes: MeetingChangesInput) =>
  editOccurrence(known, id, (one) => {
    const { timezone = known.meeting.timezone, duration = one.duration } = changes
    const { start_time: sent, topic = '', agenda, settings } = changes
    const start = sent === undefined ? startOf(one) : parseStart(sent, timezone).time
    return {
      ...one,
      duration,
      movedTo: start === one.startTime ? null : start,
      changes: {
        ...one.changes,
        ...(topic.trim() && { topic: topic.trim() }),
        ...(agenda !== undefined && { agenda }),
        ...(settings && { settings: { ...one.changes?.settings, ...settings } }),
      },
    }
  })

/**
 * Keeps all occurrences if the start, time zone and rule stay the same, and otherwise those whose
 * planned date remains.
 */
function plan(now: number, { meeting, occurrences }: KnownMeeting, changes: MeetingChangesInput) {
  const { type = meeting.type, timezone = meeting.timezone, duration = meeting.duration } = changes
  const { start_time: sent, recurrence } = changes
  const former = meeting.recurrence === null ? undefined : Recurrence.parse(meeting.recurrence)
  const rule = recurrence && [3, 8].includes(type) ? joinRule(former, recurrence) : former
  const known = new Map(type === 8 ? occurrences.map((one) => [one.startTime, one]) : [])
  // The first planned date. The shown start differs if that occurrence is cancelled or moved.
  const [planned, next] = known.keys()
  const begin = startOfSeries(planned ?? meeting.startTime ?? now, next, timezone)
  const start = () => {
    if (sent === undefined) return begin
    const read = parseStart(sent, timezone)
    // A clock that the zone skips is not the one of a read.
    const isShown = read.clock.equals(localTime(read.time, timezone).clock)
    return isShown && [planned, meeting.startTime].includes(read.time) ? begin : read
  }
  // Not a comparison of dates: the first release deleted the rows of cancelled dates.
  const isSame =
    rule &&
    former &&
    isSameZone(timezone, meeting.timezone) &&
    isDeepStrictEqual(completeRule(rule, begin), completeRule(former, begin)) &&
    start().time === planned &&
    start().clock.equals(begin.clock)
  const times = isSame
    ? { starts: [...known.keys()], rule: former }
    : planTimes(type, timezone, rule, start)
  const all = times.starts.map((startTime) => {
    const one = known.get(startTime) ?? { startTime, duration: meeting.duration }
    return one.duration === meeting.duration ? { ...one, duration } : one
  })
  if (all.length > 0 && heldOccurrences(all).length === 0) {
    refuseField('body', 'recurrence', 'must have a date that was not deleted')
  }
  return { occurrences: all, rule: times.rule }
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

/** A meeting with all its occurrences by planned start, cancelled ones included. */
export interface KnownMeeting {
  readonly meeting: MeetingRecord
  readonly occurrences: readonly OccurrenceRecord[]
}

export const startOf = ({ movedTo, startTime }: OccurrenceRecord): number => movedTo ?? startTime

/** The occurrences that are not cancelled, by start. */
export const heldOccurrences = (occurrences: readonly OccurrenceRecord[]) =>
  occurrences.filter(({ cancelledAt }) => !cancelledAt).sort((a, b) => startOf(a) - startOf(b))

/** Start of the first occurrence and end of the last one, ms. Null if there are no occurrences. */
function spanOf(occurrences: readonly OccurrenceRecord[]) {
  const [first, ...rest] = heldOccurrences(occurrences)
  if (!first) return { startTime: null, endTime: null }
  const ends = [first, ...rest].map((one) => startOf(one) + one.duration * 60_000)
  return { startTime: startOf(first), endTime: Math.max(...ends) }
}

/** Returns a meeting as it is at one of its occurrences. Throws meeting_not_found. */
export function meetingAt({ meeting, occurrences }: KnownMeeting, id: string): MeetingRecord {
  const one = findOccurrence(occurrences, id)
  const settings = { ...meeting.settings, ...one.changes?.settings }
  return { ...meeting, ...one.changes, settings, startTime: startOf(one), duration: one.duration }
}

/** Replaces one occurrence. Throws meeting_not_found. */
export function editOccurrence(
  { meeting, occurrences }: KnownMeeting,
  id: string,
  edit: (former: OccurrenceRecord) => OccurrenceRecord,
): KnownMeeting {
  const former = findOccurrence(occurrences, id)
  const all = occurrences.map((one) => (one === former ? edit(one) : one))
  return { meeting: { ...meeting, ...spanOf(all) }, occurrences: all }
}

/** Schedulers send the planned start in the basic format of ISO 8601 as the id. */
export const findOccurrence = (
  occurrences: readonly OccurrenceRecord[],
  id: string,
): OccurrenceRecord =>
  heldOccurrences(occurrences).find(({ startTime }) =>
    [`${startTime}`, wholeSeconds(startTime).replace(/[-:]/g, '')].includes(id),
  ) ?? fail('meeting_not_found', 'The meeting has no occurrence with this id.')
