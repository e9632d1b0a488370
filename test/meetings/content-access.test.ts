import { expect, test } from 'vitest'
import { addUser, declare, makeApp, removeUser } from '../support/apps.ts'
import { deleteMeeting, listener, makeMeeting } from '../support/meetings.ts'
import {
  type Answer,
  atOnce,
  authUrl,
  type OAuthServer,
  startOAuthServer,
} from '../support/oauth-server.ts'
import { words } from '../support/words.ts'

const uuid = /^[0-9a-f-]{36}$/
const none = '00000000-0000-4000-8000-000000000000'
const noMeeting = [404, { code: 3001, message: 'Meeting does not exist.' }]
const nothing = { supported: true, active: false, icon_url: null, tooltip: null, apps: [] }

const whole = ({ status, body }: Answer) => [status, body]
const bodyOf = (answer: Answer) => {
  expect(`${answer.status} ${answer.text}`).toMatch(/^20[01] /)
  return answer.body
}

/** Number of stored accesses to a meeting, including ended ones. */
const rowsOf = async ({ ctx }: OAuthServer, meetingId: number) => {
  const rows = await ctx.db.read
    .selectFrom('content_accesses')
    .select('id')
    .where('meeting_id', '=', meetingId)
    .execute()
  return rows.length
}

const server = await startOAuthServer()
const host = 'member@acme.test'
const app = listener(server, await server.tokenOf('Scheduler', host))
/** An account token, which reads and reports as well as the user's. */
const account = listener(server, await server.ownTokenOf('Reporter', 'Acme'))
const running = () => makeMeeting(server, host)

test('an access that an app reports is shown with icon and tooltip until it ends', async () => {
  const { id } = await running()
  expect(bodyOf(await app.indicator(id))).toEqual(nothing)
  const reported = await app.report(id)
  expect(whole(reported)).toEqual([
    201,
    {
      id: expect.stringMatching(uuid),
      meeting_id: id,
      content_type: 'audio',
      app_name: 'Scheduler',
      approved_by: 'Acme',
      created_at: new Date(server.clock.now()).toISOString(),
    },
  ])
  expect(bodyOf(await app.indicator(id))).toEqual({
    supported: true,
    active: true,
    icon_url: `${authUrl}/assets/app-indicator.svg`,
    tooltip: 'Scheduler has access to audio. Approved by Acme.',
    apps: [{ app_name: 'Scheduler', content_type: 'audio', approved_by: 'Acme' }],
  })
  const ended = await app.end(id, reported.body.id)
  expect([ended.status, ended.text]).toEqual([204, ''])
  expect(bodyOf(await app.indicator(id))).toEqual(nothing)
  expect((await app.end(id, reported.body.id)).status).toBe(204)
  const again = await app.report(id)
  expect(again.status).toBe(201)
  expect(again.body.id).not.toBe(reported.body.id)
})

test('an access reported again is the same record, and another type is another record', async () => {
  const { id } = await running()
  const first = bodyOf(await app.report(id))
  server.clock.advance(1000)
  expect(bodyOf(await app.report(id))).toEqual(first)
  expect(bodyOf(await app.report(id, { content_type: 'chat' })).id).not.toBe(first.id)
  expect(await rowsOf(server, id)).toBe(2)
})

test('an access reported ten times concurrently is stored once, by a user’s or an account’s token', async () => {
  for (const one of [app, account]) {
    const { id } = await running()
    const answers = await atOnce(10, () => one.report(id))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await rowsOf(server, id)).toBe(1)
  }
})

test('each app with access has one line in the tooltip per account', async () => {
  const { id } = await running()
  const odd = await makeApp(server, 'Åpp of <b>hers</b>', ['meeting:read:meeting'])
  const odder = listener(server, (await server.grantOf(odd)).access_token)
  await odder.report(id, { content_type: 'screen_share' })
  await app.report(id)
  await listener(server, await server.tokenOf('Scheduler', host)).report(id)
  await account.report(id, { content_type: 'video' })
  const { tooltip, apps } = bodyOf(await account.indicator(id))
  const lines = String(tooltip).split('\n').sort()
  expect(lines).toEqual([
    'Reporter has access to video. Approved by Acme.',
    'Scheduler has access to audio. Approved by Acme.',
    'Åpp of <b>hers</b> has access to the screen share. Approved by Acme.',
  ])
  expect(apps).toHaveLength(3)
})

test('an access is accepted before the meeting starts, and ends with the meeting', async () => {
  const waiting = await running()
  expect((await app.report(waiting.id)).status).toBe(201)
  expect(bodyOf(await app.indicator(waiting.id)).active).toBe(true)
  await server.meetings.start(waiting.id)
  expect(bodyOf(await app.indicator(waiting.id)).active).toBe(true)
  await server.meetings.end(waiting.id)
  const refused = { code: 409, message: 'The meeting has ended.' }
  expect(whole(await app.report(waiting.id))).toEqual([409, refused])
  // Restarting it does not restore the access.
  await server.meetings.start(waiting.id)
  expect(bodyOf(await app.indicator(waiting.id))).toEqual(nothing)
  expect((await app.report(waiting.id)).status).toBe(201)
})

test.each(
  words(`
      client_version=5.6.7 meeting_sdk_version=5.9.0 client_version=5.17.11+(3835)
      client_version=&meeting_sdk_version=5.9.0
    `),
)('the indicator is shown at %s', async (query) => {
  const { id } = await running()
  await app.report(id)
  expect(bodyOf(await app.indicator(id, query))).toMatchObject({ supported: true, active: true })
})

const unsupported = words(
  'client_version=5.6.6 meeting_sdk_version=5.8.9 meeting_sdk_version=5.6.7',
)
test.each(unsupported)('the indicator is unsupported and empty at %s', async (query) => {
  const { id } = await running()
  await app.report(id)
  expect(bodyOf(await app.indicator(id, query))).toEqual({ ...nothing, supported: false })
})

test.each([
  '',
  'client_version=5.6.7&meeting_sdk_version=5.9.0',
  'client_version[]=5.6.7',
  'client_version=v5.6.7',
  'client_version=5..7',
  'client_version=5.6.7+beta',
  'client_version=%00',
  `client_version=${'9'.repeat(400)}`,
])('a query of the indicator without exactly one valid version is 300: %j', async (query) => {
  const answer = await app.indicator((await running()).id, query)
  expect([answer.status, answer.body.code]).toEqual([400, 300])
  expect(answer.text).toMatch(/"field":"(client|meeting_sdk)_version","message":"[^"]+"/)
})

test('a revocation by the app ends an access', async () => {
  const scheduler = server.app('Scheduler')
  const { access_token: token } = await server.grantOf(scheduler)
  const { id } = await running()
  expect((await listener(server, token).report(id)).status).toBe(201)
  expect(bodyOf(await account.indicator(id)).active).toBe(true)
  await server.post('/oauth/revoke', { token }, { app: scheduler })
  expect(bodyOf(await account.indicator(id))).toEqual(nothing)
  expect((await listener(server, token).report(id)).status).toBe(401)
})

test('an access is not shown while its app is disabled', async () => {
  const name = 'Flicker'
  const client = await makeApp(server, name, ['meeting:read:meeting'])
  const { access_token } = await server.grantOf(client)
  const { id } = await running()
  await listener(server, access_token).report(id)
  const turn = (disabled: boolean) =>
    declare(server, { apps: [{ name, account: 'Acme', disabled }] })
  await turn(true)
  expect(bodyOf(await account.indicator(id))).toEqual(nothing)
  await turn(false)
  expect(bodyOf(await account.indicator(id)).active).toBe(true)
})

test('the removal of the user from the account ends an access', async () => {
  const email = 'leaver@acme.test'
  await addUser(server, email, { role: 'admin' })
  const client = await makeApp(server, 'Overseer', ['meeting:read:meeting:admin'], {
    level: 'account',
  })
  const { access_token } = await server.grantOf(client, { email })
  const { id } = await running()
  expect((await listener(server, access_token).report(id)).status).toBe(201)
  expect(bodyOf(await account.indicator(id)).active).toBe(true)
  await removeUser(server, email)
  expect(bodyOf(await account.indicator(id))).toEqual(nothing)
})

test('an access is ended by its id and meeting, and other requests are refused with 404', async () => {
  const [one, other] = [await running(), await running()]
  const { id: access } = bodyOf(await app.report(one.id))
  const places: [number | string, unknown][] = [
    [other.id, access],
    ['none', access],
    [one.id, none],
    [one.id, '%00'],
  ]
  for (const [meeting, id] of places) expect((await app.end(meeting, id)).status).toBe(404)
  expect(bodyOf(await app.indicator(one.id)).active).toBe(true)
})

test('an access with an invalid body is refused with 300', async () => {
  const { id } = await running()
  const bodies = [{}, [], { content_type: 'Audio' }, { content_type: 'audio\0' }, '{']
  for (const body of bodies) {
    const answer = await app.report(id, body)
    expect([answer.status, answer.body.code]).toEqual([400, 300])
  }
  const { body } = await app.report(id, {})
  expect(body.errors).toMatchObject([{ field: 'content_type' }])
  expect(bodyOf(await app.indicator(id))).toEqual(nothing)
})

test('an access to a meeting of others and to an unknown meeting is refused with 3001', async () => {
  const colleague = await makeMeeting(server, 'owner@acme.test')
  const stranger = await makeMeeting(server, 'member@other.test')
  const deleted = await running()
  await deleteMeeting(server, host, deleted.id)
  const far = [colleague.id, stranger.id, deleted.id, 99_999_999_999, 'none', '%00', '1e10']
  for (const meeting of far) {
    expect(whole(await app.report(meeting))).toEqual(noMeeting)
    expect(whole(await app.indicator(meeting))).toEqual(noMeeting)
  }
  expect((await account.report(colleague.id)).status).toBe(201)
  expect(whole(await account.report(stranger.id))).toEqual(noMeeting)
})
