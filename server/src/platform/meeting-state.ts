import type { PlatformContext } from './context.ts'
import {
  type ActiveAccess,
  listActiveAccesses,
  markContentAccessesEnded,
} from './store/content-access.ts'
import {
  findNextOccurrences,
  lockMeeting,
  type MeetingRecord,
  markMeetingEnded,
  markMeetingStarted,
} from './store/meetings.ts'

export type { ActiveAccess }

export function stateOf({ startedAt, endedAt }: MeetingRecord): 'waiting' | 'started' | 'ended' {
  if (endedAt !== null) return 'ended'
  return startedAt === null ? 'waiting' : 'started'
}

/** Apps with access to a meeting, and the time of its next occurrence, for its page. */
export async function describeProgress(
  { clock, db }: PlatformContext,
  { id }: Pick<MeetingRecord, 'id'>,
): Promise<{ accesses: ActiveAccess[]; nextTime: number | undefined }> {
  const accesses = await listActiveAccesses(db.read, id)
  const next = await findNextOccurrences(db.read, [id], clock.now())
  return { accesses, nextTime: next.get(id) }
}

/** Starts or restarts a meeting. Accesses from before a restart stay ended. */
export async function startMeeting(ctx: PlatformContext, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write(async (trx) => {
    const meeting = await lockMeeting(trx, meetingId)
    if (!meeting || stateOf(meeting) === 'started') return
    if (meeting.endedAt !== null) await markContentAccessesEnded(trx, meetingId, now)
    await markMeetingStarted(trx, meetingId, now)
  })
}

/** Ends a meeting for everyone. Does nothing unless it is in progress. */
export async function endMeeting(ctx: PlatformContext, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write((trx) => markMeetingEnded(trx, meetingId, now))
}
