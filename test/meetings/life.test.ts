import { expect, test } from 'vitest'
import { makeApp, password, serverApp } from '../support/apps.ts'
import { deleteMeeting, makeMeeting, meetingToken } from '../support/meetings.ts'
import { type Answer, member, startOAuthServer } from '../support/oauth-server.ts'
import { openSession, type Session, signIn } from '../support/people.ts'
import { words } from '../support/words.ts'

const scopes = words('meeting:read:past_meeting meeting:read:list_past_participants')
const office = serverApp('Office', [...scopes.map((scope) => `${scope}:admin`)])
const server = await startOAuthServer({}, { apps: [office] })
const app = await makeApp(server, 'Attendance', [...scopes, 'meeting:read:meeting'], {
  events: [
    ...(['meeting.started', 'meeting.ended'] as const),
    ...(['meeting.participant_joined', 'meeting.participant_left'] as const),
  ],
  // Nothing listens there. The tests read the events that the server has stored.
  deauthorizationUrl: 'http://127.0.0.1:9/events',
})
const own = (await server.grantOf(app)).access_token
const hostId = server.idOf(member)

const past = (name: unknown, rest = '', accessToken = own) =>
  server.callWith(accessToken, `/v2/past_meetings/${name}${rest}`)

const code = ({ status, body }: Answer) => [status, body.code]
const unknown = [404, 3001]

const seen = new Set<string>()

/** Returns the events that were written since the last call, in alphabetical order. */
async function newEvents() {
  const rows = await server.ctx.db.read
    .selectFrom('webhook_events')
    .select(['id', 'event', 'body'])
    .where('app_id', '=', app.id)
    .orderBy('event')
    .execute()
  const added = rows.filter(({ id }) => !seen.has(id))
  for (const { id } of added) seen.add(id)
  return added.map(({ event, body }) => ({ event, ...JSON.parse(body).payload }))
}

const namesOf = (events: readonly { event: string }[]) => events.map(({ event }) => event)

/** Joins on the page of a meeting. Returns the address of the page with the button to leave. */
async function join(session: Session, id: number, name = 'Nina', query = '?pwd=a1B2c3') {
  const html = await (await session.get(`/meetings/${id}${query}`)).text()
  const joined = await session.submit(html, `/meetings/${id}/join`, { name })
  return joined.headers.get('location') ?? fail(joined)
}

async function leave(session: Session, id: number, address: string): Promise<void> {
  const html = await (await session.get(address)).text()
  const left = await session.submit(html, `/meetings/${id}/leave`)
  if (left.status !== 303) fail(left)
}

function fail({ status }: Response): never {
  throw new Error(`The page returned ${status}.`)
}

const pass = (seconds: number) => server.clock.advance(seconds * 1000)
const timeNow = () => new Date(server.clock.now()).toISOString().replace(/\.\d+/, '')

test('a meeting tells apps of its start, of each who joins and leaves, and of its end, once', async () => {
  const { id } = await makeMeeting(server, member)
  const start = timeNow()
  await server.meetings.start(id)
  const object = {
    id: String(id),
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    host_id: hostId,
    topic: 'Weekly review',
    type: 2,
    duration: 45,
    timezone: 'Europe/Berlin',
    start_time: start,
  }
  const account_id = server.accountId('Acme')
  const ofHost = {
    user_id: '1',
    user_name: 'member Tester',
    id: hostId,
    participant_uuid: expect.any(String),
    email: member,
  }
  const told = (event: string, more: object) => ({
    event: `meeting.${event}`,
    account_id,
    object: { ...object, ...more },
  })
  expect(await newEvents()).toEqual([
    told('participant_joined', { participant: { ...ofHost, join_time: start } }),
    told('started', {}),
  ])
  pass(60)
  const guest = openSession(server)
  const address = await join(guest, id)
  const nina = { ...ofHost, user_id: '2', user_name: 'Nina', id: '', email: '' }
  expect(await newEvents()).toEqual([
    told('participant_joined', { participant: { ...nina, join_time: timeNow() } }),
  ])
  pass(60)
  await leave(guest, id, address)
  expect(await newEvents()).toEqual([
    told('participant_left', { participant: { ...nina, leave_time: timeNow() } }),
  ])
  pass(60)
  await server.meetings.end(id)
  const end = timeNow()
  expect(await newEvents()).toEqual([
    told('ended', { end_time: end }),
    told('participant_left', { participant: { ...ofHost, leave_time: end } }),
  ])
})

test('starting, ending or leaving a meeting again writes no event', async () => {
  const { id, startUrl } = await makeMeeting(server, member)
  const page = `/meetings/${id}/start${new URL(startUrl).search}`
  const [first, second] = [openSession(server), openSession(server)]
  const twice = async (path: string) => {
    const pages = await Promise.all(
      [first, second].map(async (one) => (await one.get(page)).text()),
    )
    await Promise.all([first, second].map((one, i) => one.submit(pages[i] ?? '', path)))
    return namesOf(await newEvents())
  }
  expect(await twice(`/meetings/${id}/start`)).toEqual(
    words('meeting.participant_joined meeting.started'),
  )
  const guest = openSession(server)
  const html = await (await guest.get(await join(guest, id))).text()
  for (const _ of [1, 2]) await guest.submit(html, `/meetings/${id}/leave`)
  expect(namesOf(await newEvents())).toEqual(
    words('meeting.participant_joined meeting.participant_left'),
  )
  expect(await twice(`/meetings/${id}/end`)).toEqual(
    words('meeting.ended meeting.participant_left'),
  )
})

test('a user who joins twice, signed in or by a meeting token, is one participant', async () => {
  const { id } = await makeMeeting(server, member)
  await server.meetings.start(id)
  const admin = await signIn(server, { email: 'admin@acme.test', password })
  await join(admin, id, 'The admin')
  const token = await meetingToken(server, 'admin@acme.test', 'token')
  const html = await (await admin.get(`/meetings/${id}`)).text()
  expect(html).toContain('<bdi>The admin</bdi> (you)')
  expect(html).not.toContain(`/meetings/${id}/join`)
  await newEvents()
  const elsewhere = openSession(server)
  const page = await elsewhere.get(`/meetings/${id}?${new URLSearchParams({ token })}`)
  expect(await page.text()).toContain('<bdi>The admin</bdi> (you)')
  const other = openSession(server)
  await join(other, id, 'admin')
  expect(namesOf(await newEvents())).toEqual(['meeting.participant_joined'])
})

test('deleting a meeting in progress ends it, with the events of its end', async () => {
  const { id } = await makeMeeting(server, member)
  await server.meetings.start(id)
  await newEvents()
  await deleteMeeting(server, member, id)
  expect(namesOf(await newEvents())).toEqual(words('meeting.ended meeting.participant_left'))
})

test('only those who are admitted see who is in a meeting, and join it while it is in progress', async () => {
  const { id } = await makeMeeting(server, member)
  const guest = openSession(server)
  const see = async () => (await guest.get(`/meetings/${id}?pwd=a1B2c3`)).text()
  expect(await see()).not.toContain(`/meetings/${id}/join`)
  await server.meetings.start(id)
  const html = await see()
  expect(html).toContain('<bdi>member Tester</bdi>')
  const withoutKey = await guest.get(`/meetings/${id}`)
  expect(await withoutKey.text()).not.toContain('member Tester')
  const form = { name: 'Nina', pwd: 'wrong' }
  expect((await guest.submit(html, `/meetings/${id}/join`, form)).status).toBe(403)
  const hidden = await guest.submit(html, `/meetings/${id}/join`, { name: 'Ni\u200bna' })
  expect(hidden.status).toBe(400)
  expect(await hidden.text()).toContain('The name must not contain U+200B')
  await server.meetings.end(id)
  const late = await guest.submit(html, `/meetings/${id}/join`, { name: 'Nina' })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('The meeting is not in progress.')
  expect(await see()).not.toContain('Participants')
})

test('a past meeting has its times and its participants, by number or uuid, page by page', async () => {
  const { id } = await makeMeeting(server, member)
  expect(code(await past(id))).toEqual(unknown)
  const start_time = timeNow()
  await server.meetings.start(id)
  pass(90)
  await join(openSession(server), id)
  expect(code(await past(id))).toEqual(unknown)
  expect(code(await past(id, '/participants'))).toEqual(unknown)
  pass(30)
  await server.meetings.end(id)
  const end_time = timeNow()
  const { status, body } = await past(id)
  expect([status, body]).toEqual([
    200,
    {
      ...{ uuid: body.uuid, id, host_id: hostId, topic: 'Weekly review', type: 2 },
      ...{ start_time, end_time, duration: 2, dept: '' },
      ...{ user_name: 'member Tester', user_email: member },
      ...{ participants_count: 2, total_minutes: 3 },
    },
  ])
  expect((await past(body.uuid)).body).toEqual(body)
  const all = (await past(body.uuid, '/participants')).body
  const status_ = { status: 'in_meeting' }
  const [first, second] = [
    {
      ...{ id: hostId, user_id: '1', name: 'member Tester', user_email: member },
      ...{ join_time: start_time, leave_time: end_time, duration: 120, ...status_ },
    },
    {
      ...{ id: '', user_id: '2', name: 'Nina', user_email: '' },
      ...{ join_time: expect.any(String), leave_time: end_time, duration: 30, ...status_ },
    },
  ]
  const counts = { page_size: 30, page_count: 1, total_records: 2, next_page_token: '' }
  expect(all).toEqual({ ...counts, participants: [first, second] })
  expect(code(await past(id, '/participants?page_size=0'))).toEqual([400, 300])
  const page = (await past(id, '/participants?page_size=1')).body
  expect(page).toMatchObject({ page_count: 2, participants: [first] })
  const query = new URLSearchParams({
    page_size: '1',
    next_page_token: String(page.next_page_token),
  })
  const next = (await past(id, `/participants?${query}`)).body
  expect(next).toMatchObject({ next_page_token: '', participants: [second] })
})

test('a restart is another instance, and the former one keeps its participants', async () => {
  const { id } = await makeMeeting(server, member)
  const uuids: unknown[] = []
  for (const name of ['Nina', 'Otto']) {
    await server.meetings.start(id)
    await join(openSession(server), id, name)
    await server.meetings.end(id)
    uuids.push((await past(id)).body.uuid)
  }
  expect(new Set(uuids).size).toBe(2)
  const read = async (uuid: unknown) => (await past(uuid, '/participants')).body.participants
  expect(await read(uuids[0])).toMatchObject([{ name: 'member Tester' }, { name: 'Nina' }])
  expect(await read(uuids[1])).toMatchObject([{ name: 'member Tester' }, { name: 'Otto' }])
})

test('a past meeting opens to its host and, with admin scopes, to the account, until it is deleted', async () => {
  const { id } = await makeMeeting(server, member)
  await server.meetings.start(id)
  await server.meetings.end(id)
  const colleague = (await server.grantOf(app, { email: 'admin@acme.test' })).access_token
  const account = await server.ownTokenOf('Office', 'Acme')
  for (const rest of ['', '/participants']) {
    expect((await past(id, rest, account)).status).toBe(200)
    expect(code(await past(id, rest, colleague))).toEqual(unknown)
  }
  await deleteMeeting(server, member, id)
  for (const rest of ['', '/participants']) expect(code(await past(id, rest))).toEqual(unknown)
  for (const name of ['1', '99999999999', 'none', '%F0%9F%A7%A9']) {
    expect(code(await past(name))).toEqual(unknown)
  }
})
