import { expect, test } from 'vitest'
import { appOf, credentialsOf, declare, generalApp, serverApp } from '../support/apps.ts'
import { makeMeeting } from '../support/meetings.ts'
import { type Answer, apiUrl, member, startOAuthServer } from '../support/oauth-server.ts'
import { signatureProblems, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/waiting.ts'

const scope = 'cloud_recording:read:list_recording_files'
const apps = [
  serverApp('Archive office', [`${scope}:admin`]),
  serverApp('Planner', ['meeting:read:past_meeting:admin']),
]
const server = await startOAuthServer({}, { apps })
const receiver = await startReceiver()
const name = 'Archive'
const applied = await declare(server, {
  apps: [
    generalApp(name, [scope], {
      events: ['recording.completed'],
      deauthorizationUrl: receiver.url('/archive'),
    }),
  ],
})
const { secretToken = '' } = appOf(applied, name)
receiver.trust('/archive', secretToken)
const own = (await server.grantOf(credentialsOf(applied, name))).access_token

const list = (meeting: unknown, accessToken = own) =>
  server.callWith(accessToken, `/v2/meetings/${meeting}/recordings`)

const code = ({ status, body }: Answer) => [status, body.code]

/** A meeting that has taken place, with a recording if `recorded`. */
async function heldMeeting(recorded = true) {
  const { id } = await makeMeeting(server, member)
  await server.meetings.start(id)
  server.clock.advance(60_000)
  await server.meetings.end(id)
  if (recorded) await server.meetings.record(id)
  return id
}

/** The path of the only file of a meeting. */
async function fileOf(id: number): Promise<string> {
  const { body } = await list(id)
  const [file] = body.recording_files as { download_url: string }[]
  return String(file?.download_url).replace(apiUrl, '')
}

/** Downloads a file. Returns its status and code, or its type and bytes. */
async function download(path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await server.http(path, { headers })
  if (response.status !== 200) return { status: response.status, ...(await response.json()) }
  const bytes = Buffer.from(await response.arrayBuffer())
  return { type: response.headers.get('content-type'), bytes }
}

/** Waits for the event of a meeting's recording. */
async function eventOf(id: number) {
  return eventually(() => {
    for (const received of receiver.deliveries('/archive')) {
      const event = JSON.parse(received.body)
      if (event.payload.object.id === id) return { event, received }
    }
    throw new Error(`The event of the recording of ${id} has not arrived.`)
  })
}

test('a recording is a playable file that its event and the list describe alike', async () => {
  const id = await heldMeeting()
  const path = await fileOf(id)
  const { bytes, type } = await download(path, own)
  expect(type).toBe('video/mp4')
  expect(bytes?.subarray(4, 8).toString()).toBe('ftyp')
  const { status, body } = await list(id)
  const end = new Date(server.clock.now()).toISOString().replace(/\.\d+/, '')
  expect([status, body]).toMatchObject([
    200,
    {
      ...{ id, account_id: server.accountId('Acme'), host_id: server.idOf(member) },
      ...{ host_email: member, topic: 'Weekly review', total_size: bytes?.length },
      recording_count: 1,
      recording_files: [
        { meeting_id: body.uuid, recording_end: end, file_size: bytes?.length, file_type: 'MP4' },
      ],
    },
  ])
  expect((await list(body.uuid)).body).toEqual(body)
  const { event } = await eventOf(id)
  expect(event).toEqual({
    event: 'recording.completed',
    event_ts: expect.any(Number),
    download_token: expect.stringMatching(/^sdl_/),
    payload: { account_id: server.accountId('Acme'), object: body },
  })
})

test("an event's token opens its file for 24 hours, in the header only, and no other", async () => {
  const other = await fileOf(await heldMeeting())
  const id = await heldMeeting()
  const path = await fileOf(id)
  const token = String((await eventOf(id)).event.download_token)
  expect((await download(path, token)).type).toBe('video/mp4')
  const refused = { status: 401, code: 4700 }
  expect(await download(other, token)).toMatchObject(refused)
  expect(await download('/v2/recordings/none/download', token)).toMatchObject(refused)
  expect(await download(path, `${token.slice(0, -1)}_`)).toMatchObject(refused)
  expect(await download(path)).toMatchObject(refused)
  expect(await download(`${path}?access_token=${token}`)).toMatchObject({ status: 401, code: 124 })
  expect(code(await list(id, token))).toEqual([401, 4700])
  server.clock.advance(24 * 3_600_000 - 60_000)
  expect((await download(path, token)).type).toBe('video/mp4')
  server.clock.advance(60_000)
  expect(await download(path, token)).toMatchObject({
    status: 401,
    code: 124,
    message: 'Download token is expired.',
  })
})

test('only a token that may list the recordings of a meeting lists and downloads them', async () => {
  const id = await heldMeeting()
  const mine = (await server.grantOf(credentialsOf(applied, name))).access_token
  const { body } = await list(id, mine)
  const [file] = body.recording_files as { download_url: string }[]
  const path = String(file?.download_url).replace(apiUrl, '')
  const office = await server.ownTokenOf('Archive office', 'Acme')
  expect((await list(id, office)).status).toBe(200)
  expect((await download(path, office)).type).toBe('video/mp4')
  const admin = { email: 'admin@acme.test' }
  const colleague = (await server.grantOf(credentialsOf(applied, name), admin)).access_token
  expect(code(await list(id, colleague))).toEqual([404, 3001])
  expect(await download(path, colleague)).toMatchObject({ status: 404, code: 3001 })
  const planner = await server.ownTokenOf('Planner', 'Acme')
  expect(code(await list(id, planner))).toEqual([403, 4711])
  expect(await download(path, planner)).toMatchObject({ status: 403, code: 4711 })
})

test('a meeting without a recording returns 404 with code 3301', async () => {
  const mine = (await server.grantOf(credentialsOf(applied, name))).access_token
  expect(code(await list(await heldMeeting(false), mine))).toEqual([404, 3301])
  const { id } = await makeMeeting(server, member)
  expect(code(await list(id, mine))).toEqual([404, 3001])
  await expect(server.meetings.record(id)).rejects.toThrow('The meeting has never started.')
  expect(await download('/v2/recordings/none/download', mine)).toMatchObject({
    status: 404,
    code: 3301,
  })
})

test("a recording's event is signed and reaches only apps that may see recordings", async () => {
  const deaf = await declare(server, {
    apps: [
      generalApp('Deaf', ['meeting:read:meeting'], {
        events: ['recording.completed'],
        deauthorizationUrl: receiver.url('/deaf'),
      }),
    ],
  })
  await server.grantOf(credentialsOf(deaf, 'Deaf'))
  const { received } = await eventOf(await heldMeeting())
  expect(signatureProblems(received, secretToken, server.clock.now())).toEqual([])
  const rows = await server.ctx.db.read
    .selectFrom('webhook_events')
    .select('id')
    .where('app_id', '=', appOf(deaf, 'Deaf').id)
    .execute()
  expect(rows).toEqual([])
})
