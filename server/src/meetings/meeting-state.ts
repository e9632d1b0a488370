import type { Context } from '../runtime/context.ts'
import {
  type ActiveAccess,
  listActiveAccesses,
  markContentAccessesEnded,
} from '../store/platform/content-access.ts'
import * as store from '../store/platform/meetings.ts'

export type { ActiveAccess }

export function stateOf({
  startedAt,
  endedAt,
}: store.MeetingRecord): 'waiting' | 'started' | 'ended' {
  if (endedAt !== null) return 'ended'
  return startedAt === null ? 'waiting' : 'started'
}

/** Apps with access to a meeting, and the time of its next occurrence, for its page. */
export async function describeProgress(
  { clock, db }: Context,
  { id }: Pick<store.MeetingRecord, 'id'>,
): Promise<{ accesses: ActiveAccess[]; nextTime: number | undefined }> {
  const accesses = await listActiveAccesses(db.read, id)
  const next = await store.findNextOccurrences(db.read, [id], clock.now())
  return { accesses, nextTime: next.get(id) }
}

/** Starts or restarts a meeting. Accesses from before a restart stay ended. */
export async function startMeeting(ctx: Context, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write(async (trx) => {
    const meeting = await store.lockMeeting(trx, meetingId)
    if (!meeting || stateOf(meeting) === 'started') return
    if (meeting.endedAt !== null) await markContentAccessesEnded(trx, meetingId, now)
    await store.markMeetingStarted(trx, meetingId, now)
  })
}

/** Ends a meeting for everyone. Does nothing unless it is in progress. */
export async function endMeeting(ctx: Context, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write((trx) => store.markMeetingEnded(trx, meetingId, now))
}
