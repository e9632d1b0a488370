import type { platformContract } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../errors/failure.ts'
import type { Bearer } from './bearer.ts'
import type { PlatformContext } from './context.ts'
import { readMeetingNumber } from './meeting-number.ts'
import { findVisibleMeeting } from './meetings.ts'
import {
  type ActiveAccess,
  type ContentAccessRecord,
  type ContentType,
  findContentAccess,
  insertContentAccess,
  listActiveAccesses,
  markContentAccessEnded,
  type Reporter,
} from './store/content-access.ts'

type Caller = Bearer & Reporter

/**
 * Notes that an app has access to content of a meeting from now on (open-points E). What it has
 * reported already stays as it is. Throws meeting_not_found, not_allowed_now for a meeting that is over.
 */
export async function reportContentAccess(
  ctx: PlatformContext,
  bearer: Caller,
  meetingId: string,
  contentType: ContentType,
): Promise<ContentAccessRecord> {
  const { meeting } = await findVisibleMeeting(ctx, bearer, meetingId)
  if (meeting.endedAt !== null) fail('not_allowed_now', 'The meeting is over.')
  const subject = { meetingId: meeting.id, contentType }
  const id = ctx.random.uuid()
  const access = await ctx.db.write(async (trx) => {
    await insertContentAccess(trx, { ...subject, id, createdAt: ctx.clock.now() }, bearer)
    return findContentAccess(trx, subject, bearer)
  })
  // Another request of the app ended the access between insert and look-up.
  return access ?? fail('not_allowed_now', 'The access has just been ended; report it again.')
}

/**
 * Notes that an access is over. The app that has reported it may always say so, in the account that
 * allowed it; ending it again changes nothing. Throws path_not_found.
 */
export async function endContentAccess(
  ctx: PlatformContext,
  bearer: Caller,
  meetingId: string,
  id: string,
): Promise<void> {
  const number = readMeetingNumber(meetingId)
  const now = ctx.clock.now()
  const isEnded =
    number !== undefined &&
    (await ctx.db.write((trx) =>
      markContentAccessEnded(trx, { id, meetingId: number }, bearer, now),
    ))
  if (!isEnded) fail('path_not_found', 'The app has reported no such access to this meeting.')
}

/** The first versions of meeting client and meeting SDK that show the in-meeting indicator (OAuth spec §6). */
const firstClient = '5.6.7'
const firstSdk = '5.9.0'

/** Compares versions part by part, as numbers; a part that is missing counts as zero. */
const isFrom = (version: string, first: string) =>
  `${version}.0.0`.localeCompare(first, 'en', { numeric: true }) >= 0

/**
 * The apps with access to a meeting right now; nothing for a client that does not show them (OAuth
 * spec §6). Throws meeting_not_found.
 */
export async function readIndicator(
  ctx: PlatformContext,
  bearer: Caller,
  meetingId: string,
  query: z.output<typeof platformContract.contentAccess.getIndicator.query>,
): Promise<ActiveAccess[] | undefined> {
  const { meeting } = await findVisibleMeeting(ctx, bearer, meetingId)
  const { client_version: client, meeting_sdk_version: sdk = '' } = query
  const isShown = client === undefined ? isFrom(sdk, firstSdk) : isFrom(client, firstClient)
  return isShown ? listActiveAccesses(ctx.db.read, meeting.id) : undefined
}
