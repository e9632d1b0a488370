import { fail } from '../errors/failure.ts'
import { wholeSeconds } from './meeting-times.ts'
import type { MeetingRecord, OccurrenceRecord } from './store/meetings.ts'

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
export function spanOf(occurrences: readonly OccurrenceRecord[]) {
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
const findOccurrence = (occurrences: readonly OccurrenceRecord[], id: string): OccurrenceRecord =>
  heldOccurrences(occurrences).find(({ startTime }) =>
    [`${startTime}`, wholeSeconds(startTime).replace(/[-:]/g, '')].includes(id),
  ) ?? fail('meeting_not_found', 'The meeting has no occurrence with this id.')
