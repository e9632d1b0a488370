import { fail } from '../../errors/failure.ts'
import {
  endMeeting,
  joinMeeting,
  leaveMeeting,
  startMeeting,
  visitorOf,
} from '../../meetings/meeting-state.ts'
import { recordMeeting } from '../../meetings/recordings.ts'
import { readMeetingNumber } from '../../people/meeting-access.ts'
import type { Context } from '../../runtime/context.ts'
import { findMeeting } from '../../store/platform/meetings.ts'
import { findUserByEmail } from '../../store/platform/users.ts'

/** What happens in meetings. Each throws NOT_FOUND for an unknown number of a meeting. */
export function createMeetings(ctx: Context) {
  const numberOf = async (id: number | string): Promise<number> => {
    const number = readMeetingNumber(String(id))
    const known = number === undefined ? undefined : await findMeeting(ctx.db.read, number)
    return known?.id ?? fail('NOT_FOUND', `There is no meeting ${id}.`)
  }
  return {
    start: async (id: number | string) => startMeeting(ctx, await numberOf(id)),
    /** Joins as a guest of this name, or as the user with this email. */
    async join(id: number | string, name: string): Promise<void> {
      const user = await findUserByEmail(ctx.db.read, name)
      await joinMeeting(ctx, await numberOf(id), user ? visitorOf(user) : { name })
    },
    async leave(id: number | string, name: string): Promise<void> {
      const user = await findUserByEmail(ctx.db.read, name)
      const value = user ? visitorOf(user).name : name
      if (!(await leaveMeeting(ctx, await numberOf(id), { by: 'name', value }))) {
        fail('CONFLICT', `${name} is not in the meeting ${id}.`)
      }
    },
    end: async (id: number | string) => endMeeting(ctx, await numberOf(id)),
    /** Records the meeting: a small file, whose event has a token to download it. */
    record: async (id: number | string) => recordMeeting(ctx, await numberOf(id)),
  }
}
