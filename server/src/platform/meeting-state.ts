import type { PlatformContext } from './context.ts'
import {
  type ActiveAccess,
  listActiveAccesses,
  markContentAccessesEnded,
} from './store/content-access.ts'
import {
  holdMeeting,
  type MeetingRecord,
  markMeetingEnded,
  markMeetingStarted,
} from './store/meetings.ts'
import { findNextOccurrences } from './store/occurrences.ts'

export type { ActiveAccess }

/** Whether people are in the meeting, will be, or have left. */
export function stateOf({ startedAt, endedAt }: MeetingRecord): 'waiting' | 'started' | 'ended' {
  if (endedAt !== null) return 'ended'
  return startedAt === null ? 'waiting' : 'started'
}

/** What a meeting's page tells beyond the meeting: who has access to it, and when it is held next. */
export async function describeProgress(
  { clock, db }: PlatformContext,
  { id }: Pick<MeetingRecord, 'id'>,
): Promise<{ accesses: ActiveAccess[]; nextTime: number | undefined }> {
  const accesses = await listActiveAccesses(db.read, id)
  const next = await findNextOccurrences(db.read, [id], clock.now())
  return { accesses, nextTime: next.get(id) }
}

/**
 * Starts a meeting, once more where it had ended; one that goes on goes on. What apps had access to
 * before the last end stays over.
 */
export async function startMeeting(ctx: PlatformContext, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write(async (trx) => {
    const meeting = await holdMeeting(trx, meetingId)
    if (!meeting || stateOf(meeting) === 'started') return
    if (meeting.endedAt !== null) await markContentAccessesEnded(trx, meetingId, now)
    await markMeetingStarted(trx, meetingId, now)
  })
}

/** Ends a meeting for everyone; one that does not go on stays as it is. */
export async function endMeeting(ctx: PlatformContext, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write((trx) => markMeetingEnded(trx, meetingId, now))
}
