import { readFileSync } from 'node:fs'
import { Failure, fail } from '../errors/failure.ts'
import type { Bearer } from '../people/bearer.ts'
import { writeEvent } from '../people/events.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import { dayLength } from '../runtime/time.ts'
import { createDatedSecret, dateOf, hashSecret, type Secret } from '../secrets/secrets.ts'
import { lockMeeting } from '../store/platform/meetings.ts'
import { findInstance } from '../store/platform/past-meetings.ts'
import * as store from '../store/platform/recordings.ts'
import { findUser } from '../store/platform/users.ts'
import { findVisibleInstance } from './past-meetings.ts'
import { type RecordedMeeting, serializeRecording } from './serialize.ts'

/** The file of every recording: two seconds of video with sound. */
const file = readFileSync(new URL('../../assets/recording.mp4', import.meta.url))

/**
 * Records a meeting from its last start until it ended, or until now, and tells apps. Only the
 * double does. Throws meeting_not_found, and not_allowed_now if the meeting has never started.
 */
export async function recordMeeting(ctx: OperatorContext, meetingId: number): Promise<void> {
  const token = createDatedSecret('downloadToken', ctx.random, ctx.steadyNow())
  await ctx.db.write(async (trx) => {
    const meeting = await lockMeeting(trx, meetingId)
    const host = await findUser(trx, meeting?.hostId ?? '')
    if (!meeting || !host) fail('meeting_not_found')
    const instance = await findInstance(trx, { meetingId })
    if (!instance) fail('not_allowed_now', 'The meeting has never started.')
    const { uuid, startedAt, endedAt } = instance
    const times = { startedAt, endedAt: endedAt ?? ctx.clock.now() }
    const id = ctx.random.uuid()
    const recording = { id, instance: uuid, ...times, tokenKey: hashSecret(token) }
    await store.insertRecording(trx, recording)
    const recorded = { meeting, host, instance, recordings: [recording], fileSize: file.length }
    await writeEvent(ctx, trx, {
      event: 'recording.completed',
      accountId: meeting.accountId,
      userId: host.id,
      payload: { object: serializeRecording(ctx.config, recorded) },
      download_token: token,
    })
  })
}

/** Returns the recordings of an instance. Throws meeting_not_found, and recording_not_found. */
export async function listRecordings(
  ctx: Context,
  bearer: Bearer,
  name: string,
): Promise<RecordedMeeting> {
  const found = await findVisibleInstance(ctx, bearer, name)
  const recordings = await store.listRecordings(ctx.db.read, found.instance.uuid)
  if (recordings.length === 0) fail('recording_not_found')
  return { ...found, recordings, fileSize: file.length }
}

/**
 * Returns a file to a caller who may list it, or with its download token. Throws meeting_not_found,
 * recording_not_found, expired_access_token, token_empty.
 */
export async function readRecording(ctx: Context, by: Bearer | Secret, id: string) {
  const recording = await store.findRecording(ctx.db.read, id)
  if (typeof by === 'string') {
    const key = hashSecret(by)
    const expiresAt = dateOf(key) * 1000 + dayLength
    if (expiresAt <= ctx.steadyNow()) fail('expired_access_token', 'Download token is expired.')
    if (key !== recording?.tokenKey) throw new Failure('token_empty', { hasToken: true })
    return file
  }
  if (!recording) fail('recording_not_found')
  await findVisibleInstance(ctx, by, recording.instance)
  return file
}
