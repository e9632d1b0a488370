import type { platformContract } from '@skillpass/contract'
import { z } from 'zod'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Bearer } from '../people/bearer.ts'
import { readMeetingNumber } from '../people/meeting-access.ts'
import type { Context } from '../runtime/context.ts'
import { readPage } from '../runtime/page-token.ts'
import * as store from '../store/platform/past-meetings.ts'
import { maxParticipants } from './meeting-state.ts'
import { findVisibleMeeting } from './meetings.ts'

/**
 * Finds an instance by its uuid, or the last one by the number of its meeting, if the token gives
 * access to the meeting. Throws meeting_not_found.
 */
export async function findVisibleInstance<I extends store.InstanceRecord>(
  ctx: Context,
  bearer: Bearer,
  name: string,
  find: (db: Db, name: store.InstanceName) => Promise<I | undefined>,
) {
  const meetingId = readMeetingNumber(name)
  const instance = await find(ctx.db.read, meetingId === undefined ? { uuid: name } : { meetingId })
  if (!instance) fail('meeting_not_found')
  return { instance, ...(await findVisibleMeeting(ctx, bearer, String(instance.meetingId))) }
}

/** Returns an instance that has ended, with its participants. Throws meeting_not_found. */
export async function getPastMeeting(ctx: Context, bearer: Bearer, name: string) {
  const past = await findVisibleInstance(ctx, bearer, name, store.findEndedInstance)
  const { uuid } = past.instance
  return {
    ...past,
    participants: await store.listParticipants(ctx.db.read, uuid, 0, maxParticipants),
  }
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
  const { instance } = await findVisibleInstance(ctx, bearer, name, store.findEndedInstance)
  const { uuid, endedAt } = instance
  const page = await readPage(
    `participants ${uuid}`,
    z.tuple([z.int()]),
    { after: query.next_page_token, limit: query.page_size },
    (after, limit) => store.listParticipants(ctx.db.read, uuid, after?.[0] ?? 0, limit),
    ({ number }) => [number],
  )
  return { ...page, endedAt, total: await store.countParticipants(ctx.db.read, uuid) }
}
