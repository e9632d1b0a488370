import { bounds, label } from '@skillpass/contract'
import { z } from 'zod'
import { fail, invalidBody } from '../errors/failure.ts'
import { displayNameOf } from '../people/serialize.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import {
  type ActiveAccess,
  listActiveAccesses,
  markContentAccessesEnded,
} from '../store/platform/content-access.ts'
import * as store from '../store/platform/meetings.ts'
import * as life from '../store/platform/past-meetings.ts'
import { findUser, type UserRecord } from '../store/platform/users.ts'
import { type Running, writeEnd, writeJoin, writeLeave, writeStart } from './instance-events.ts'

export type { ActiveAccess }
export type Participant = life.ParticipantRecord

export function stateOf({
  startedAt,
  endedAt,
}: store.MeetingRecord): 'waiting' | 'started' | 'ended' {
  if (endedAt !== null) return 'ended'
  return startedAt === null ? 'waiting' : 'started'
}

/** Apps with access to a meeting, who is in it, and the time of its next occurrence. */
export async function describeProgress({ clock, db }: Context, meeting: store.MeetingRecord) {
  const { id: meetingId } = meeting
  const accesses = await listActiveAccesses(db.read, meetingId)
  const next = await store.findNextOccurrences(db.read, [meetingId], clock.now())
  const instance =
    stateOf(meeting) === 'started' ? await life.findInstance(db.read, { meetingId }) : undefined
  const present = instance ? await life.listPresent(db.read, instance.uuid) : []
  return { accesses, present, nextTime: next.get(meetingId) }
}

/** Acts on a meeting if it is in progress. Otherwise returns undefined. */
const whileRunning = <T>(
  ctx: OperatorContext,
  meetingId: number,
  act: (running: Running) => Promise<T>,
) =>
  ctx.db.write(async (trx) => {
    const meeting = await store.lockMeeting(trx, meetingId)
    const instance = await life.findInstance(trx, { meetingId })
    if (!meeting || !instance || instance.endedAt !== null) return undefined
    return act({ ctx, trx, now: ctx.clock.now(), meeting, instance })
  })

/**
 * Starts or restarts a meeting with its host in it. Does nothing if it is in progress. Accesses
 * from before a restart stay ended.
 */
export async function startMeeting(ctx: OperatorContext, meetingId: number): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.write(async (trx) => {
    const meeting = await store.lockMeeting(trx, meetingId)
    if (!meeting || stateOf(meeting) === 'started') return
    if (meeting.endedAt !== null) await markContentAccessesEnded(trx, meetingId, now)
    await store.markMeetingStarted(trx, meetingId, now)
    const last = await life.findInstance(trx, { meetingId })
    const uuid = last ? ctx.random.uuid() : meeting.uuid
    const number = (last?.number ?? 0) + 1
    const instance = { uuid, meetingId, number, startedAt: now, endedAt: null }
    await life.insertInstance(trx, instance)
    const running = { ctx, trx, now, meeting, instance }
    await writeStart(running)
    const host = await findUser(trx, meeting.hostId)
    if (host) await admit(running, visitorOf(host))
  })
}

/** Ends a meeting for everyone. Does nothing unless it is in progress. */
export async function endMeeting(ctx: OperatorContext, meetingId: number): Promise<void> {
  await whileRunning(ctx, meetingId, async (running) => {
    const { trx, now, instance } = running
    for (const one of await life.listPresent(trx, instance.uuid)) await dismiss(running, one)
    await store.markMeetingEnded(trx, meetingId, now)
    await life.markInstanceEnded(trx, instance.uuid, now)
    await writeEnd(running)
  })
}

/** Somebody who joins a meeting, with the account that they are signed in to. */
export type Visitor = Pick<Participant, 'name'> & Partial<Pick<Participant, 'email' | 'userId'>>

export const visitorOf = (user: UserRecord) => ({
  name: displayNameOf(user),
  email: user.email,
  userId: user.id,
})

const Name = z.object({ name: label(bounds.profile.displayName) })

/**
 * Joins a meeting. A user who is in it already stays the same participant. Throws
 * validation_failed, and not_allowed_now unless the meeting is in progress and has room.
 */
export async function joinMeeting(
  ctx: OperatorContext,
  meetingId: number,
  visitor: Visitor,
): Promise<Participant> {
  const { data, error } = Name.safeParse(visitor)
  if (error) throw invalidBody(error.issues)
  const joined = await whileRunning(ctx, meetingId, (running) =>
    admit(running, { ...visitor, ...data }),
  )
  return joined ?? fail('not_allowed_now', 'The meeting is not in progress.')
}

/** Maximum number of times that somebody joins an instance of a meeting. */
const maxParticipants = 1000

async function admit(running: Running, { name, email = '', userId = null }: Visitor) {
  const { ctx, trx, now, instance } = running
  const present = await life.listPresent(trx, instance.uuid)
  const known = userId === null ? undefined : present.find((one) => one.userId === userId)
  if (known) return known
  const number = (await life.countParticipants(trx, instance.uuid)) + 1
  if (number > maxParticipants) fail('not_allowed_now', 'The meeting is full.')
  const id = ctx.random.uuid()
  const times = { joinedAt: now, leftAt: null }
  const participant = { id, instance: instance.uuid, number, userId, name, email, ...times }
  await life.insertParticipant(trx, participant)
  await writeJoin(running, participant)
  return participant
}

/** Lets the last participant with this id or name leave. Returns whether there is one. */
export async function leaveMeeting(
  ctx: OperatorContext,
  meetingId: number,
  { by, value }: { readonly by: 'id' | 'name'; readonly value: string },
): Promise<boolean> {
  const left = await whileRunning(ctx, meetingId, async (running) => {
    const present = await life.listPresent(running.trx, running.instance.uuid)
    const found = present.findLast((one) => one[by] === value)
    if (found) await dismiss(running, found)
    return found
  })
  return left !== undefined
}

async function dismiss(running: Running, participant: Participant): Promise<void> {
  const { trx, now } = running
  await life.markParticipantLeft(trx, participant.id, now)
  await writeLeave(running, participant)
}
