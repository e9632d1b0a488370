import type { platformContract } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../errors/failure.ts'
import type { Bearer } from '../people/bearer.ts'
import { readMeetingNumber } from '../people/meeting-access.ts'
import type { Context } from '../runtime/context.ts'
import * as store from '../store/platform/content-access.ts'
import { findVisibleMeeting } from './meetings.ts'

type Caller = Bearer & store.Reporter

/**
 * Records that an app has access to content of a meeting (spec/decisions.md#in-meeting-indicator).
 * Returns the existing record if the app has already reported it. Throws meeting_not_found, and
 * not_allowed_now if the meeting has ended.
 */
export async function reportContentAccess(
  ctx: Context,
  bearer: Caller,
  meetingId: string,
  contentType: store.ContentType,
): Promise<store.ContentAccessRecord> {
  const { meeting } = await findVisibleMeeting(ctx, bearer, meetingId)
  if (meeting.endedAt !== null) fail('not_allowed_now', 'The meeting has ended.')
  const subject = { meetingId: meeting.id, contentType }
  const id = ctx.random.uuid()
  const access = await ctx.db.write(async (trx) => {
    await store.insertContentAccess(trx, { ...subject, id, createdAt: ctx.clock.now() }, bearer)
    return store.findContentAccess(trx, subject, bearer)
  })
  // Undefined if a concurrent request of the app has ended the access.
  return access ?? fail('not_allowed_now', 'The access has just been ended. Report it again.')
}

/**
 * Records that an access has ended. The app can always end its accesses in the account that allowed
 * it, and ending one again has no effect. Throws path_not_found.
 */
export async function endContentAccess(
  ctx: Context,
  bearer: Caller,
  meetingId: string,
  id: string,
): Promise<void> {
  const access = { id, meetingId: readMeetingNumber(meetingId) ?? 0 }
  const now = ctx.clock.now()
  const isEnded = await ctx.db.write((trx) =>
    store.markContentAccessEnded(trx, access, bearer, now),
  )
  if (!isEnded) fail('path_not_found', 'The app has not reported this access to the meeting.')
}

/** First versions with the in-meeting indicator (spec/oauth.md#in-meeting-indicator). */
const firstClient = '5.6.7'
const firstSdk = '5.9.0'

/** Compares versions numerically. Missing parts count as zero. */
const isAtLeast = (version: string, first: string) =>
  `${version}.0.0`.localeCompare(first, 'en', { numeric: true }) >= 0

/**
 * Returns the apps with access to a meeting, or undefined if the client does not support the
 * indicator (spec/oauth.md#in-meeting-indicator). Throws meeting_not_found.
 */
export async function readIndicator(
  ctx: Context,
  bearer: Caller,
  meetingId: string,
  query: z.output<typeof platformContract.contentAccess.getIndicator.query>,
): Promise<store.ActiveAccess[] | undefined> {
  const { meeting } = await findVisibleMeeting(ctx, bearer, meetingId)
  const { client_version: client, meeting_sdk_version: sdk = '' } = query
  const isSupported =
    client === undefined ? isAtLeast(sdk, firstSdk) : isAtLeast(client, firstClient)
  return isSupported ? store.listActiveAccesses(ctx.db.read, meeting.id) : undefined
}
