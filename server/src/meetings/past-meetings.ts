import type { platformContract } from '@skillpass/contract'
import { z } from 'zod'
import { fail } from '../errors/failure.ts'
import type { Bearer } from '../people/bearer.ts'
import { readMeetingNumber } from '../people/meeting-access.ts'
import type { Context } from '../runtime/context.ts'
import { readPage } from '../runtime/page-token.ts'
import * as store from '../store/platform/past-meetings.ts'
import { findVisibleMeeting, type HostedMeeting } from './meetings.ts'

/** A meeting from a start to its end. */
export interface MeetingInstance extends HostedMeeting {
  readonly instance: store.InstanceRecord
}

/**
 * Finds an instance by its uuid, or the last one by the number of the meeting, if the token gives
 * access to the meeting. With `ended`, finds only instances that have ended. Throws
 * meeting_not_found.
 */
export async function findVisibleInstance(
  ctx: Context,
  bearer: Bearer,
  name: string,
  only?: { readonly ended: true },
): Promise<MeetingInstance> {
  const meetingId = readMeetingNumber(name)
  const named = meetingId === undefined ? { uuid: name } : { meetingId }
  const instance = await store.findInstance(ctx.db.read, named, only)
  if (!instance) fail('meeting_not_found')
  return { ...(await findVisibleMeeting(ctx, bearer, String(instance.meetingId))), instance }
}

/** Returns an instance that has ended, with its attendance. Throws meeting_not_found. */
export async function getPastMeeting(ctx: Context, bearer: Bearer, name: string) {
  const past = await findVisibleInstance(ctx, bearer, name, { ended: true })
  const { uuid } = past.instance
  const participants = await store.countParticipants(ctx.db.read, uuid)
  return { ...past, participants, attendance: await store.sumAttendance(ctx.db.read, uuid) }
}

/**
 * Returns a page of the participants of an instance that has ended. Throws meeting_not_found, and
 * validation_failed for an invalid page token.
 */
export async function listPastParticipants(
  ctx: Context,
  bearer: Bearer,
  name: string,
  query: z.output<typeof platformContract.pastMeetings.listParticipants.query>,
) {
  const { page_size, next_page_token } = query
  const { instance } = await findVisibleInstance(ctx, bearer, name, { ended: true })
  const page = await readPage(
    `participants ${instance.uuid}`,
    z.tuple([z.int()]),
    { after: next_page_token, limit: page_size },
    (after, limit) => store.listParticipants(ctx.db.read, instance.uuid, after?.[0] ?? 0, limit),
    ({ number }) => [number],
  )
  const total = await store.countParticipants(ctx.db.read, instance.uuid)
  return { ...page, total }
}
