import { randomBase62 } from '../secrets/secrets.ts'
import type { PlatformContext } from './context.ts'
import type { MeetingRecord } from './store/meetings.ts'
import type { UserRecord } from './store/user-record.ts'

/** Returns a random meeting number: 10 digits for personal meetings, 11 for others. */
export function randomMeetingNumber(
  random: Pick<PlatformContext['random'], 'bytes'>,
  digits: 10 | 11,
) {
  const lowest = 10 ** (digits - 1)
  const value = Buffer.from(random.bytes(6)).readUIntBE(0, 6)
  return lowest + (value % (9 * lowest))
}

/** Parses a meeting number. Returns undefined if no meeting can have it. */
export const readMeetingNumber = (text: string): number | undefined =>
  /^[1-9]\d{9,10}$/.test(text) ? Number(text) : undefined

/** Creates the UUID and the encrypted passcode of a new meeting. */
export function newMeetingKeys(
  ctx: Pick<PlatformContext, 'encryption' | 'random'>,
  // 35 random bits, and short enough to read out.
  passcode = randomBase62(ctx.random, 6),
): Pick<MeetingRecord, 'uuid' | 'password'> {
  const uuid = ctx.random.uuid()
  return { uuid, password: ctx.encryption.seal('passcode', uuid, passcode) }
}

/** Decrypts a passcode. It is not hashed, because the API returns it to the host. */
export const passcodeOf = (
  { encryption }: Pick<PlatformContext, 'encryption'>,
  { uuid, password }: Pick<MeetingRecord, 'uuid' | 'password'>,
): string => encryption.open('passcode', uuid, password)

/** Builds a user's personal meeting, whose number never changes. */
export const personalMeeting = (
  ctx: Pick<PlatformContext, 'clock' | 'encryption' | 'random'>,
  user: UserRecord,
): MeetingRecord => ({
  ...newMeetingKeys(ctx),
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
  createdAt: ctx.clock.now(),
  startedAt: null,
  endedAt: null,
})
