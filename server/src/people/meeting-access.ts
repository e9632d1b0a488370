import type { Context, OperatorContext } from '../runtime/context.ts'
import { randomBase62 } from '../secrets/secrets.ts'
import type { MeetingRecord } from '../store/platform/meetings.ts'
import type { UserRecord } from '../store/platform/users.ts'

/** Returns a random meeting number: 10 digits for personal meetings, 11 for others. */
export function randomMeetingNumber(random: Pick<Context['random'], 'bytes'>, digits: 10 | 11) {
  const lowest = 10 ** (digits - 1)
  const value = Buffer.from(random.bytes(6)).readUIntBE(0, 6)
  return lowest + (value % (9 * lowest))
}

/** Parses a meeting number. Returns undefined if no meeting can have it. */
export const readMeetingNumber = (text: string): number | undefined =>
  /^[1-9]\d{9,10}$/.test(text) ? Number(text) : undefined

/** Decrypts a passcode. It is not hashed, because the API returns it to the host. */
export const passcodeOf = (
  { encryption }: Pick<OperatorContext, 'encryption'>,
  { uuid, password }: Pick<MeetingRecord, 'uuid' | 'password'>,
): string => encryption.open('passcode', uuid, password)

/** Builds a meeting without times, with a random passcode. */
export function blankMeeting(
  ctx: OperatorContext,
  host: UserRecord,
  fixed: Pick<MeetingRecord, 'id' | 'type' | 'topic'>,
): MeetingRecord {
  const uuid = ctx.random.uuid()
  return {
    ...fixed,
    uuid,
    hostId: host.id,
    accountId: host.accountId,
    startTime: null,
    endTime: null,
    duration: 60,
    timezone: host.timezone,
    agenda: '',
    // 35 random bits, and short enough to read out.
    password: ctx.encryption.seal('passcode', uuid, randomBase62(ctx.random, 6)),
    recurrence: null,
    settings: {},
    createdAt: ctx.clock.now(),
    startedAt: null,
    endedAt: null,
  }
}

export const meetingPath = (id: number): string => `/meetings/${id}`

export const joinUrl = (
  { authUrl }: Pick<Context['config'], 'authUrl'>,
  id: number,
  password?: string | null,
): string => `${authUrl}${meetingPath(id)}${password ? `?pwd=${encodeURIComponent(password)}` : ''}`
