import { endpointScopes, type platformContract } from '@skillpass/contract'
import { z } from 'zod'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { Failure, fail, refuseField } from '../errors/failure.ts'
import { type Bearer, findVisibleUser, reachesUser } from '../people/bearer.ts'
import { readMeetingNumber } from '../people/meeting-access.ts'
import { createMeetingToken, makeMeetingToken } from '../people/meeting-tokens.ts'
import type { Context } from '../runtime/context.ts'
import { readPage, timePlace } from '../runtime/page-token.ts'
import type { Secret } from '../secrets/secrets.ts'
import type { MeetingTokenMaker } from '../store/platform/meeting-tokens.ts'
import * as store from '../store/platform/meetings.ts'
import type { UserRecord } from '../store/platform/users.ts'
import {
  changeMeeting,
  changeOccurrence,
  editOccurrence,
  type KnownMeeting,
  type MeetingChangesInput,
  meetingAt,
  type NewMeetingInput,
  planMeeting,
} from './meeting-changes.ts'
import { endRunning } from './meeting-state.ts'
import { writeMeetingEvent, writeMeetingUpdate } from './plan-events.ts'

export interface HostedMeeting {
  readonly meeting: store.MeetingRecord
  readonly host: UserRecord
}

/** A meeting with its occurrences, and a zak if the caller may start it. */
export interface OpenedMeeting extends HostedMeeting, KnownMeeting {
  readonly zak: Secret | undefined
}

/**
 * Finds a meeting whose host the token gives access to (spec/oauth.md#scopes). Throws
 * meeting_not_found in all other cases, so that callers cannot find out which numbers exist.
 */
export async function findVisibleMeeting(ctx: Context, bearer: Bearer, meetingId: string) {
  const id = readMeetingNumber(meetingId)
  const meeting = id === undefined ? undefined : await store.findMeeting(ctx.db.read, id)
  if (!meeting) fail('meeting_not_found')
  try {
    return { meeting, host: await findVisibleUser(ctx, bearer, meeting.hostId) }
  } catch (error) {
    if (error instanceof Failure) fail('meeting_not_found')
    throw error
  }
}

/**
 * Creates a meeting of the named user, or of the user in `schedule_for`, with its occurrences, and
 * a zak to start it. Throws insufficient_scope, user_not_found, validation_failed.
 */
export async function createMeeting(
  ctx: Context,
  bearer: Bearer & MeetingTokenMaker,
  userId: string,
  input: NewMeetingInput,
): Promise<OpenedMeeting> {
  const named = await findVisibleUser(ctx, bearer, userId)
  const { schedule_for: other } = input
  const host = other === undefined ? named : await findVisibleUser(ctx, bearer, other)
  for (let tries = 1; ; tries++) {
    const { meeting, occurrences } = planMeeting(ctx, host, input)
    try {
      const zak = await ctx.db.write(async (trx) => {
        await store.insertMeeting(trx, meeting)
        await store.insertOccurrences(trx, meeting.id, occurrences)
        await writeMeetingEvent(ctx, trx, bearer, 'meeting.created', { meeting, occurrences })
        return makeMeetingToken(ctx, trx, { user: host, type: 'zak', bearer })
      })
      return { meeting, host, occurrences, zak }
    } catch (error) {
      if (!isNumberTaken(error) || tries === maxTries) throw error
    }
  }
}

/** Maximum attempts to find a free number. Each meeting takes one of 9·10^10. */
const maxTries = 5

const isNumberTaken = (error: unknown): boolean =>
  error instanceof UniqueViolation && error.table === 'meetings' && error.columns.includes('id')

/**
 * Returns a meeting, or one of its occurrences, with a zak only if the token may start the host's
 * meetings. Throws meeting_not_found.
 */
export async function getMeeting(
  ctx: Context,
  bearer: Bearer & MeetingTokenMaker,
  meetingId: string,
  occurrenceId: string | undefined,
): Promise<OpenedMeeting> {
  const { meeting: whole, host } = await findVisibleMeeting(ctx, bearer, meetingId)
  const occurrences = whole.type === 8 ? await store.listOccurrences(ctx.db.read, whole.id) : []
  const meeting =
    occurrenceId === undefined ? whole : meetingAt({ meeting: whole, occurrences }, occurrenceId)
  const mayStart =
    (await reachesUser(ctx, { ...bearer, requirement: endpointScopes.readUserToken }, host)) ||
    (await reachesUser(ctx, { ...bearer, requirement: endpointScopes.createMeeting }, host))
  const zak = mayStart
    ? await createMeetingToken(ctx, { user: host, type: 'zak', bearer })
    : undefined
  return { meeting, host, occurrences, zak }
}

const lists = {
  scheduled: 'scheduled',
  live: 'live',
  upcoming: 'upcoming',
  upcoming_meetings: 'upcoming',
  previous_meetings: 'previous',
} as const satisfies Record<string, store.MeetingList>

/**
 * Returns a page of a user's meetings. In the upcoming list, a recurring meeting has the start of
 * its next occurrence. Throws user_not_found, and validation_failed for an invalid page token.
 */
export async function listMeetings(
  ctx: Context,
  bearer: Bearer,
  userId: string,
  query: z.output<typeof platformContract.meetings.list.query>,
) {
  const { clock, db } = ctx
  const { type, page_size, next_page_token, page_number } = query
  const host = await findVisibleUser(ctx, bearer, userId)
  const list = lists[type]
  const now = clock.now()
  const selection = { hostId: host.id, list, now }
  const [{ items, ...page }, total] = await Promise.all([
    readPage(
      `meetings ${host.id} ${list}`,
      timePlace(z.int()),
      { after: next_page_token, limit: page_size, number: page_number },
      (after, limit, offset) => store.findMeetings(db.read, { ...selection, after, limit, offset }),
      ({ createdAt, id }) => [createdAt, id],
    ),
    store.countMeetings(db.read, selection),
  ])
  const recurring = items.filter((meeting) => meeting.type === 8).map(({ id }) => id)
  const next =
    list === 'upcoming' ? await store.findNextOccurrences(db.read, recurring, now) : new Map()
  const startOf = ({ id, startTime }: store.MeetingRecord) => next.get(id) ?? startTime
  return { ...page, items: items.map((one) => ({ ...one, startTime: startOf(one) })), total, host }
}

/**
 * Changes a meeting, or one of its occurrences, in one transaction. `schedule_for` names the new
 * host of a meeting. Throws validation_failed, meeting_not_found, user_not_found, not_allowed_now.
 */
export async function updateMeeting(
  ctx: Context,
  bearer: Bearer,
  meetingId: string,
  occurrenceId: string | undefined,
  changes: MeetingChangesInput,
): Promise<void> {
  const { id, accountId } = (await findVisibleMeeting(ctx, bearer, meetingId)).meeting
  const { schedule_for: other } = occurrenceId === undefined ? changes : {}
  const host = other === undefined ? other : await findVisibleUser(ctx, bearer, other)
  if (host && host.accountId !== accountId) {
    refuseField('body', 'schedule_for', 'must be a user of the account of the meeting')
  }
  const change = (known: KnownMeeting) =>
    occurrenceId === undefined
      ? changeMeeting(ctx, known, changes, host?.id)
      : changeOccurrence(known, occurrenceId, changes)
  await ctx.db.write(async (trx) => {
    const states = await rewrite(trx, id, change)
    await writeMeetingUpdate(ctx, trx, bearer, states, occurrenceId)
  })
}

/** Replaces a meeting with its occurrences. Returns its former and its present state. */
async function rewrite(trx: Db, id: number, change: (known: KnownMeeting) => KnownMeeting) {
  const meeting = (await store.lockMeeting(trx, id)) ?? fail('meeting_not_found')
  const before = { meeting, occurrences: await store.listOccurrences(trx, id) }
  const after = change(before)
  await store.updateMeetingPlan(trx, after.meeting)
  await store.deleteOccurrences(trx, id)
  await store.insertOccurrences(trx, id, after.occurrences)
  return [before, after] as const
}

/**
 * Deletes a meeting, or one of its occurrences, and with the last one the meeting. Throws
 * meeting_not_found, and not_allowed_now for a personal meeting.
 */
export async function removeMeeting(
  ctx: Context,
  bearer: Bearer,
  meetingId: string,
  occurrenceId: string | undefined,
): Promise<void> {
  const now = ctx.clock.now()
  const { id, type } = (await findVisibleMeeting(ctx, bearer, meetingId)).meeting
  if (occurrenceId === undefined && type === 4) {
    fail('not_allowed_now', 'A personal meeting cannot be deleted.')
  }
  const cancel = (one: store.OccurrenceRecord) => ({ ...one, cancelledAt: now })
  const change = (known: KnownMeeting) =>
    occurrenceId === undefined ? known : editOccurrence(known, occurrenceId, cancel)
  await ctx.db.write(async (trx) => {
    const [before, { meeting }] = await rewrite(trx, id, change)
    const isOver = occurrenceId === undefined || meeting.startTime === null
    if (isOver) {
      await endRunning(ctx, trx, id)
      await store.markMeetingDeleted(trx, id, now)
    }
    const only = isOver ? undefined : occurrenceId
    await writeMeetingEvent(ctx, trx, bearer, 'meeting.deleted', before, only)
  })
}
