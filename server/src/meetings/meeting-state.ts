import { bounds, label } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
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
import { type Running, writeState, writeStay } from './instance-events.ts'

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

/** Finds a meeting if it is in progress, and locks it. */
async function findRunning(
  ctx: OperatorContext,
  trx: Db,
  meetingId: number,
): Promise<Running | undefined> {
  const meeting = await store.lockMeeting(trx, meetingId)
  const instance = await life.findInstance(trx, { meetingId })
  if (!meeting || !instance || instance.endedAt !== null) return undefined
  return { ctx, trx, now: ctx.clock.now(), meeting, instance }
}

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
    const { number } = (await life.findInstance(trx, { meetingId })) ?? { number: 0 }
    const uuid = number === 0 ? meeting.uuid : ctx.random.uuid()
    const instance = { uuid, meetingId, number: number + 1, startedAt: now, endedAt: null }
    await life.insertInstance(trx, instance)
    const running = { ctx, trx, now, meeting, instance }
    await writeState(running, 'meeting.started')
    const host = await findUser(trx, meeting.hostId)
    if (host) await admit(running, visitorOf(host))
  })
}

/** Ends a meeting for everyone. Does nothing unless it is in progress. */
export const endMeeting = (ctx: OperatorContext, meetingId: number): Promise<void> =>
  ctx.db.write((trx) => endRunning(ctx, trx, meetingId))

/** Like `endMeeting`, in the caller's transaction. */
export async function endRunning(ctx: OperatorContext, trx: Db, meetingId: number) {
  const running = await findRunning(ctx, trx, meetingId)
  if (!running) return
  const { now, instance } = running
  for (const one of await life.listPresent(trx, instance.uuid)) await dismiss(running, one)
  await store.markMeetingEnded(trx, meetingId, now)
  await life.markInstanceEnded(trx, instance.uuid, now)
  await writeState(running, 'meeting.ended')
}

/** Somebody who joins a meeting, with the account that they are signed in to. */
export type Visitor = Pick<Participant, 'name'> & Partial<Pick<Participant, 'email' | 'userId'>>

export const visitorOf = (user: UserRecord) => ({
  name: displayNameOf(user),
  email: user.email,
  userId: user.id,
})

const Name = label(bounds.profile.displayName)

/**
 * Joins a meeting. A user who is in it already stays the same participant. Throws 400 for a name,
 * and not_allowed_now unless the meeting is in progress and has room.
 */
export async function joinMeeting(
  ctx: OperatorContext,
  meetingId: number,
  visitor: Visitor,
): Promise<Participant> {
  const { data: name, error } = Name.safeParse(visitor.name)
  if (error) fail(400, `The name ${error.issues[0]?.message}.`)
  return ctx.db.write(async (trx) => {
    const running = await findRunning(ctx, trx, meetingId)
    if (!running) fail('not_allowed_now', 'The meeting is not in progress.')
    return admit(running, { ...visitor, name })
  })
}

/** Maximum number of times that somebody joins an instance of a meeting. */
export const maxParticipants = 1000

async function admit(running: Running, { name, email = '', userId = null }: Visitor) {
  const { ctx, trx, now, instance } = running
  const { uuid } = instance
  const known = (await life.listPresent(trx, uuid)).find((one) => userId && one.userId === userId)
  if (known) return known
  const number = (await life.countParticipants(trx, uuid)) + 1
  if (number > maxParticipants) fail('not_allowed_now', 'The meeting is full.')
  const person = { id: ctx.random.uuid(), number, userId, name, email }
  const participant = { ...person, instance: uuid, joinedAt: now, leftAt: null }
  await life.insertParticipant(trx, participant)
  await writeStay(running, 'meeting.participant_joined', participant)
  return participant
}

/** Lets the last participant with this id or name leave. Returns whether there is one. */
export async function leaveMeeting(
  ctx: OperatorContext,
  meetingId: number,
  { by, value }: { readonly by: 'id' | 'name'; readonly value: string },
): Promise<boolean> {
  return ctx.db.write(async (trx) => {
    const running = await findRunning(ctx, trx, meetingId)
    const present = running ? await life.listPresent(trx, running.instance.uuid) : []
    const found = present.findLast((one) => one[by] === value)
    if (running && found) await dismiss(running, found)
    return found !== undefined
  })
}

async function dismiss(running: Running, participant: Participant): Promise<void> {
  await life.markParticipantLeft(running.trx, participant.id, running.now)
  await writeStay(running, 'meeting.participant_left', participant)
}
