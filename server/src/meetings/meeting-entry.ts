import { isAdmin } from '../people/bearer.ts'
import { passcodeOf } from '../people/meeting-access.ts'
import { findMeetingTokenUser } from '../people/meeting-tokens.ts'
import type { Context } from '../runtime/context.ts'
import { networkOf } from '../runtime/limits/client-address.ts'
import { secondsToWait, type WindowLimit } from '../runtime/limits/rate-limiter.ts'
import { equalSecrets } from '../secrets/secrets.ts'
import { findMeeting, type MeetingRecord } from '../store/platform/meetings.ts'
import { findUser, type UserRecord } from '../store/platform/users.ts'
import type { HostedMeeting } from './meetings.ts'

/**
 * Wrong passcodes allowed in any `window` (ms): per client address, per signed-in user, and per
 * meeting and network or other account.
 */
const failures = { limit: 10, window: 300_000 }

/**
 * Wrong passcodes allowed for a meeting from all sources. This permits 14,400 guesses a day; a
 * passcode has at least 10^6 values. Failures of colleagues count, but this limit does not apply to
 * them.
 */
const target = { limit: 10, window: 60_000 }

/** Credentials of a visitor. Missing texts are empty; `token` is a meeting token. */
interface EntryCredentials extends Record<'passcode' | 'token', string> {
  readonly user: UserRecord | undefined
}

type Entry =
  /** `visitor` is the user of the token, or who has signed in. */
  | { readonly admitted: HostedMeeting; readonly visitor: UserRecord | undefined }
  | { readonly refused: 'unknown' }
  /** The passcode or token is wrong. */
  | { readonly refused: 'mismatch' }
  | { readonly refused: 'tooMany'; readonly retryAfter: number }

/**
 * Admits the host, admins, holders of their meeting tokens, and everyone with the right passcode.
 * An unknown number gets the same response as a wrong passcode. After too many failures the right
 * passcode is refused too, so that guesses reveal nothing.
 */
export async function enterMeeting(
  ctx: Context,
  meetingId: number,
  { user, passcode, token }: EntryCredentials,
): Promise<Entry> {
  const hosted = await findHostedMeeting(ctx, meetingId)
  if (hosted && user && mayManage(user, hosted.meeting)) return { admitted: hosted, visitor: user }
  const bearer = token === '' ? undefined : await findMeetingTokenUser(ctx, token, 'token')
  if (hosted && bearer && mayManage(bearer, hosted.meeting)) {
    return { admitted: hosted, visitor: bearer }
  }
  if (passcode === '') return { refused: token === '' ? 'unknown' : 'mismatch' }
  const isColleague = hosted !== undefined && user?.accountId === hosted.meeting.accountId
  const ofMeeting = { key: `meeting-passcode-target:${meetingId}`, ...target }
  const limits = limitsOf(ctx, meetingId, user, isColleague)
  if (!isColleague) limits.push(ofMeeting)
  const isRight = equalSecrets(passcode, hosted ? passcodeOf(ctx, hosted.meeting) : '')
  const admitted = isRight ? hosted : undefined
  const retryAfter = await secondsToWait(ctx.limiter, limits, { hasFailed: !admitted })
  if (retryAfter > 0) return { refused: 'tooMany', retryAfter }
  if (admitted) return { admitted, visitor: user }
  if (isColleague) await secondsToWait(ctx.limiter, [ofMeeting], { hasFailed: true })
  return { refused: 'mismatch' }
}

/** Limits for a wrong passcode. An account's users share a limit for other accounts' meetings. */
function limitsOf(
  { address }: Context,
  meetingId: number,
  user: UserRecord | undefined,
  isColleague: boolean,
): WindowLimit[] {
  const keys = [`meeting-passcode:${address}`]
  if (user) keys.push(`meeting-passcode-user:${user.id}`)
  if (!isColleague) keys.push(`meeting-passcode-network:${networkOf(address)}:${meetingId}`)
  if (user && !isColleague) keys.push(`meeting-passcode-account:${user.accountId}:${meetingId}`)
  return keys.map((key) => ({ key, ...failures }))
}

/** Finds a meeting if the visitor is its host, by session or zak. */
export async function findMeetingOfHost(
  ctx: Context,
  meetingId: number,
  { user, zak }: { readonly user: UserRecord | undefined; readonly zak: string },
): Promise<HostedMeeting | undefined> {
  const hosted = await findHostedMeeting(ctx, meetingId)
  if (!hosted) return undefined
  if (user?.id === hosted.host.id) return hosted
  const starter = zak === '' ? undefined : await findMeetingTokenUser(ctx, zak, 'zak')
  return starter?.id === hosted.host.id ? hosted : undefined
}

/** Finds a meeting with its host, unless the host was removed. */
async function findHostedMeeting({ db }: Context, meetingId: number) {
  const meeting = await findMeeting(db.read, meetingId)
  // Query the host in any case, so that timing does not reveal which numbers exist.
  const host = await findUser(db.read, meeting?.hostId ?? '')
  return meeting && host && { meeting, host }
}

const mayManage = (user: UserRecord, meeting: MeetingRecord): boolean =>
  user.id === meeting.hostId || (user.accountId === meeting.accountId && isAdmin(user))
