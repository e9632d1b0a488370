import { networkOf } from '../limits/client-address.ts'
import { secondsToWait, type WindowLimit } from '../limits/rate-limiter.ts'
import { equalSecrets } from '../secrets/secrets.ts'
import type { PlatformContext } from './context.ts'
import { findMeetingTokenUser } from './meeting-tokens.ts'
import type { HostedMeeting } from './meetings.ts'
import { passcodeOf } from './passcodes.ts'
import { isAdmin } from './roles.ts'
import { findMeeting, type MeetingRecord } from './store/meetings.ts'
import type { UserRecord } from './store/user-record.ts'
import { findUser } from './store/users.ts'

/**
 * Wrong passcodes that are taken in any `window` (ms) under each limit: from an address over all meetings,
 * of a user who is signed in, and for a meeting from a network and from the users of another account.
 */
const failures = { limit: 10, window: 300_000 }

/**
 * Wrong passcodes of a meeting from everywhere: at most 14,400 a day of its 10^6 and more. They all
 * count, but users of the meeting's own account wait for none of them.
 */
const target = { limit: 10, window: 60_000 }

/** What somebody shows: who is signed in, and a passcode or a meeting token of type `token`, or empty texts. */
interface EntryKeys extends Record<'passcode' | 'token' | 'address', string> {
  readonly user: UserRecord | undefined
}

export type Entry =
  | { readonly admitted: HostedMeeting }
  /** A passcode is asked for. */
  | { readonly refused: 'unknown' }
  /** What was given is not good. */
  | { readonly refused: 'mismatch' }
  | { readonly refused: 'tooMany'; readonly retryAfter: number }

/**
 * Lets the host, admins, their meeting tokens and the right passcode in; an unknown number is answered
 * like a wrong passcode. After too many of those the right one waits too, so that guessing tells nothing.
 */
export async function enterMeeting(
  ctx: PlatformContext,
  meetingId: number,
  { user, passcode, token, address }: EntryKeys,
): Promise<Entry> {
  const hosted = await findHostedMeeting(ctx, meetingId)
  if (hosted && user && mayLookAfter(user, hosted.meeting)) return { admitted: hosted }
  const bearer = token === '' ? undefined : await findMeetingTokenUser(ctx, token, 'token')
  if (hosted && bearer && mayLookAfter(bearer, hosted.meeting)) return { admitted: hosted }
  if (passcode === '') return { refused: token === '' ? 'unknown' : 'mismatch' }
  const isColleague = hosted !== undefined && user?.accountId === hosted.meeting.accountId
  const ofMeeting = { key: `meeting-passcode-target:${meetingId}`, ...target }
  const limits = limitsOf(meetingId, address, user, isColleague)
  if (!isColleague) limits.push(ofMeeting)
  const isRight = equalSecrets(passcode, hosted ? passcodeOf(ctx, hosted.meeting) : '')
  const admitted = isRight ? hosted : undefined
  const retryAfter = await secondsToWait(ctx.limiter, limits, { hasFailed: !admitted })
  if (retryAfter > 0) return { refused: 'tooMany', retryAfter }
  if (admitted) return { admitted }
  if (isColleague) await secondsToWait(ctx.limiter, [ofMeeting], { hasFailed: true })
  return { refused: 'mismatch' }
}

/** The limits of a guess. A tenant has any number of users, so those of another account count together. */
function limitsOf(
  meetingId: number,
  address: string,
  user: UserRecord | undefined,
  isColleague: boolean,
): WindowLimit[] {
  const keys = [`meeting-passcode:${address}`]
  if (user) keys.push(`meeting-passcode-user:${user.id}`)
  if (!isColleague) keys.push(`meeting-passcode-network:${networkOf(address)}:${meetingId}`)
  if (user && !isColleague) keys.push(`meeting-passcode-account:${user.accountId}:${meetingId}`)
  return keys.map((key) => ({ key, ...failures }))
}

/** The meeting that somebody is the host of, by a session or by a zak; nothing for all others. */
export async function findOwnMeeting(
  ctx: PlatformContext,
  meetingId: number,
  { user, zak }: { readonly user: UserRecord | undefined; readonly zak: string },
): Promise<HostedMeeting | undefined> {
  const hosted = await findHostedMeeting(ctx, meetingId)
  if (!hosted) return undefined
  if (user?.id === hosted.host.id) return hosted
  const starter = zak === '' ? undefined : await findMeetingTokenUser(ctx, zak, 'zak')
  return starter?.id === hosted.host.id ? hosted : undefined
}

/** A meeting with its host; a removed host's is none. */
async function findHostedMeeting(
  { db }: PlatformContext,
  meetingId: number,
): Promise<HostedMeeting | undefined> {
  const meeting = await findMeeting(db.read, meetingId)
  // Asked for in any case: the time must not tell which numbers are taken.
  const host = await findUser(db.read, meeting?.hostId ?? '')
  return meeting && host && { meeting, host }
}

const mayLookAfter = (user: UserRecord, meeting: MeetingRecord): boolean =>
  user.id === meeting.hostId || (user.accountId === meeting.accountId && isAdmin(user))
