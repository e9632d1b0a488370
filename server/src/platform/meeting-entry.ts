import type { Context } from '../context.ts'
import { countFailure, secondsToWait } from '../failure-limit.ts'
import { equalSecrets } from '../secrets.ts'
import { findMeetingTokenUser } from './meeting-tokens.ts'
import type { HostedMeeting } from './meetings.ts'
import { findMeeting, type MeetingRecord } from './store/meetings.ts'
import { findUser, type UserRecord } from './store/users.ts'
import { isAdmin } from './users.ts'

/** Wrong passcodes that are taken from an address in any `window` (ms), over all meetings. */
const failures = { limit: 10, window: 300_000 }

/** What somebody shows who wants to see a meeting. */
export interface EntryKeys {
  /** Who is signed in. */
  readonly user: UserRecord | undefined
  /** Empty where nothing was given. */
  readonly passcode: string
  /** A meeting token of type `token`; empty where nothing was given. */
  readonly token: string
  /** As `clientAddress` folds it. */
  readonly address: string
}

/** What became of it. */
export type Entry =
  | { readonly admitted: HostedMeeting }
  /** A passcode is asked for. */
  | { readonly refused: 'unknown' }
  /** What was given is not good. */
  | { readonly refused: 'mismatch' }
  | { readonly refused: 'tooMany'; readonly retryAfter: number }

/**
 * Lets the host, admins of the host's account, their meeting tokens and the right passcode see a
 * meeting. A number that is no meeting's is answered like a wrong passcode. After too many of those
 * even the right one has to wait, so that guessing on tells nothing.
 */
export async function enterMeeting(
  ctx: Pick<Context, 'db' | 'limiter' | 'steadyNow'>,
  meetingId: number,
  { user, passcode, token, address }: EntryKeys,
): Promise<Entry> {
  const hosted = await findHostedMeeting(ctx, meetingId)
  if (hosted && user && mayLookAfter(user, hosted.meeting)) return { admitted: hosted }
  const bearer = token === '' ? undefined : await findMeetingTokenUser(ctx, token, 'token')
  if (hosted && bearer && mayLookAfter(bearer, hosted.meeting)) return { admitted: hosted }
  if (passcode === '') return { refused: token === '' ? 'unknown' : 'mismatch' }
  const limits = [{ key: `meeting-passcode:${address}`, ...failures }]
  const retryAfter = await secondsToWait(ctx.limiter, limits)
  if (retryAfter > 0) return { refused: 'tooMany', retryAfter }
  const isRight = equalSecrets(passcode, hosted?.meeting.password ?? '')
  if (hosted && isRight) return { admitted: hosted }
  await countFailure(ctx.limiter, limits)
  return { refused: 'mismatch' }
}

/** The meeting that somebody is the host of, by a session or by a zak; nothing for all others. */
export async function findOwnMeeting(
  ctx: Pick<Context, 'db' | 'steadyNow'>,
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
  { db }: Pick<Context, 'db'>,
  meetingId: number,
): Promise<HostedMeeting | undefined> {
  const meeting = await findMeeting(db.read, meetingId)
  // Asked for in any case: the time must not tell which numbers are taken.
  const host = await findUser(db.read, meeting?.hostId ?? '')
  return meeting && host && { meeting, host }
}

const mayLookAfter = (user: UserRecord, meeting: MeetingRecord): boolean =>
  user.id === meeting.hostId || (user.accountId === meeting.accountId && isAdmin(user))
