import { readFileSync } from 'node:fs'
import type { Recording } from '@skillpass/contract'
import type { z } from 'zod'
import { Failure, fail } from '../errors/failure.ts'
import type { Bearer } from '../people/bearer.ts'
import { writeEvent } from '../people/events.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import { dayLength } from '../runtime/time.ts'
import { createDatedSecret, dateOf, hashSecret, type Secret } from '../secrets/secrets.ts'
import { lockMeeting } from '../store/platform/meetings.ts'
import { findInstance, type InstanceRecord } from '../store/platform/past-meetings.ts'
import * as store from '../store/platform/recordings.ts'
import { findUser } from '../store/platform/users.ts'
import { serializeInstance } from './instance-events.ts'
import { wholeSeconds } from './meeting-times.ts'
import type { HostedMeeting } from './meetings.ts'
import { findVisibleInstance } from './past-meetings.ts'

/** The file of every recording: two seconds of video with sound. */
const file = readFileSync(new URL('../../assets/recording.mp4', import.meta.url))

/**
 * Records a meeting from its last start until it ended, or until now, and tells apps. Only the
 * double does. Throws meeting_not_found, and not_allowed_now if the meeting has never started.
 */
export async function recordMeeting(ctx: OperatorContext, meetingId: number): Promise<void> {
  const download_token = createDatedSecret('downloadToken', ctx.random, ctx.steadyNow())
  await ctx.db.write(async (trx) => {
    const meeting = (await lockMeeting(trx, meetingId)) ?? fail('meeting_not_found')
    const host = (await findUser(trx, meeting.hostId)) ?? fail('meeting_not_found')
    const instance = await findInstance(trx, { meetingId })
    if (!instance) fail('not_allowed_now', 'The meeting has never started.')
    const { uuid, startedAt, endedAt } = instance
    const times = { startedAt, endedAt: endedAt ?? ctx.clock.now() }
    const ids = { id: ctx.random.uuid(), instance: uuid, tokenKey: hashSecret(download_token) }
    await store.insertRecording(trx, { ...ids, ...times })
    const object = serializeRecordings(ctx, { meeting, host, instance }, [{ ...ids, ...times }])
    const subject = { accountId: meeting.accountId, userId: host.id }
    const event = { event: 'recording.completed', payload: { object }, download_token } as const
    await writeEvent(ctx, trx, { ...event, ...subject })
  })
}

/** Lists the recordings of an instance. Throws meeting_not_found, recording_not_found. */
export async function listRecordings(ctx: Context, bearer: Bearer, name: string) {
  const held = await findVisibleInstance(ctx, bearer, name, findInstance)
  const recordings = await store.listRecordings(ctx.db.read, held.instance.uuid)
  if (recordings.length === 0) fail('recording_not_found')
  return serializeRecordings(ctx, held, recordings)
}

const serializeRecordings = (
  { config }: OperatorContext,
  { meeting, host, instance }: HostedMeeting & { instance: InstanceRecord },
  recordings: readonly store.RecordingRecord[],
): z.output<typeof Recording> => ({
  ...serializeInstance({ meeting, instance }),
  id: meeting.id,
  account_id: meeting.accountId,
  host_email: host.email,
  total_size: recordings.length * file.length,
  recording_count: recordings.length,
  recording_files: recordings.map(({ id, startedAt, endedAt }) => ({
    id,
    meeting_id: instance.uuid,
    recording_start: wholeSeconds(startedAt),
    recording_end: wholeSeconds(endedAt),
    file_type: 'MP4',
    file_extension: 'MP4',
    file_size: file.length,
    download_url: `${config.apiUrl}/v2/recordings/${id}/download`,
    status: 'completed',
    recording_type: 'shared_screen_with_speaker_view',
  })),
})

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
  await findVisibleInstance(ctx, by, recording.instance, findInstance)
  return file
}
