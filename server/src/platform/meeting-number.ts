import type { Context } from '../context.ts'
import { randomBase62 } from '../secrets.ts'
import type { MeetingRecord } from './store/meetings.ts'
import type { UserRecord } from './store/users.ts'

/** A random number of so many digits, the first of them not zero: 10 for a personal meeting, 11 for others. */
export function randomMeetingNumber(random: Pick<Context['random'], 'bytes'>, digits: 10 | 11) {
  const lowest = 10 ** (digits - 1)
  const value = Buffer.from(random.bytes(6)).readUIntBE(0, 6)
  return lowest + (value % (9 * lowest))
}

/** The number that a text names; nothing for what no meeting can have. */
export const readMeetingNumber = (text: string): number | undefined =>
  /^[1-9]\d{9,10}$/.test(text) ? Number(text) : undefined

/** What a new meeting is told apart and entered by. */
export const newMeetingKeys = (random: Context['random']) => ({
  uuid: random.uuid(),
  // 35 bits, and six characters to read out.
  password: randomBase62(random, 6),
})

/** The meeting that every user has, at a number that stays. */
export const personalMeeting = (
  { clock, random }: Pick<Context, 'clock' | 'random'>,
  user: UserRecord,
): MeetingRecord => ({
  ...newMeetingKeys(random),
  id: user.pmi,
  hostId: user.id,
  accountId: user.accountId,
  topic: 'Personal Meeting Room',
  type: 4,
  startTime: null,
  endTime: null,
  duration: 60,
  timezone: user.timezone,
  agenda: '',
  recurrence: null,
  settings: {},
  createdAt: clock.now(),
  startedAt: null,
  endedAt: null,
})
