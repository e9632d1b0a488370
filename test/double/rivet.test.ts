import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type EventName, eventNames } from '@skillpass/contract'
import { createSkillpass, type Seed } from '@skillpass/server/testing'
import { HttpReceiver, MeetingsS2SAuthClient } from '@zoom/rivet/meetings'
import { UsersS2SAuthClient } from '@zoom/rivet/users'
import { expect, onTestFinished, test, vi } from 'vitest'

const nina = 'nina@acme.test'
const secretToken = 'token-of-listener'
const aboutUsers = ['user.created', 'user.updated', 'user.deleted'] as const
const aboutMeetings = [
  ...(['meeting.created', 'meeting.updated', 'meeting.deleted'] as const),
  ...(['meeting.started', 'meeting.participant_joined'] as const),
  ...(['meeting.participant_left', 'meeting.ended', 'recording.completed'] as const),
]

/** What the listeners of rivet need beside a receiver. They never ask for tokens. */
const credentials = { clientId: 'unused', clientSecret: 'unused', accountId: 'unused' }

/** Starts a receiver of rivet at a free port. Returns its endpoint. */
async function startReceiver(client: { start(): Promise<Server | Promise<Server>> }) {
  const server = await client.start()
  onTestFinished(async () => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/zoom/events`
}

/** Receives the events about meetings. */
async function listenToMeetings(onEvent: (event: unknown) => void, webhooksSecretToken: string) {
  const receiver = new HttpReceiver({ port: 0, webhooksSecretToken })
  const client = new MeetingsS2SAuthClient({ ...credentials, receiver })
  for (const name of aboutMeetings) client.webEventConsumer?.event(name, onEvent)
  return startReceiver(client)
}

/** Receives the events about users. */
async function listenToUsers(onEvent: (event: unknown) => void) {
  const options = { port: 0, webhooksSecretToken: secretToken }
  const client = new UsersS2SAuthClient({ ...credentials, ...options })
  for (const name of aboutUsers) client.webEventConsumer?.event(name, onEvent)
  return startReceiver(client)
}

/** Declares a server-to-server app that receives events at an endpoint. */
const listener = (name: string, deauthorizationUrl: string, events: readonly EventName[]) =>
  ({
    ...({ name, account: 'Acme', type: 'server-to-server', secretToken } as const),
    ...{ deauthorizationUrl, events },
    scopes: ['meeting:write:admin', 'user:write:admin', 'recording:read:admin'],
  }) as const

const seedOf = (...apps: ReturnType<typeof listener>[]) =>
  ({
    accounts: [{ name: 'Acme', domains: ['acme.test'], users: [{ email: nina, role: 'owner' }] }],
    apps,
    meetings: [{ host: nina, topic: 'Planning', id: 81234567890 }],
    tokens: [{ app: 'Meetings' }],
  }) satisfies Seed

test('rivet validates its endpoint and receives every event', async () => {
  const received: unknown[] = []
  const collect = (event: unknown) => void received.push(event)
  await using sp = await createSkillpass({
    seed: seedOf(
      listener('Meetings', await listenToMeetings(collect, secretToken), aboutMeetings),
      listener('Users', await listenToUsers(collect), aboutUsers),
    ),
  })
  const { users, meetings } = sp.client({ token: 'Meetings' }).platform
  const { id } = await users.create({
    body: { action: 'create', user_info: { email: 'olaf@acme.test', type: 1 } },
  })
  await users.update({ params: { userId: id }, body: { first_name: 'Olaf' } })
  const meeting = await meetings.create({ params: { userId: id }, body: { topic: 'Review' } })
  const meetingId = String(meeting.id)
  await meetings.update({ params: { meetingId }, body: { topic: 'Retrospective' } })
  await sp.meetings.start(meetingId)
  await sp.meetings.join(meetingId, 'Guest')
  await sp.meetings.leave(meetingId, 'Guest')
  await sp.meetings.end(meetingId)
  await sp.meetings.record(meetingId)
  await meetings.remove({ params: { meetingId } })
  await users.remove({ params: { userId: id } })
  await sp.webhooks.flush()

  const deliveries = await sp.webhooks.list()
  expect(new Set(deliveries.map(({ event }) => event))).toEqual(new Set(eventNames))
  expect(deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status))).toEqual(
    deliveries.map(() => 200),
  )
  expect(received).toHaveLength(deliveries.length)
  expect(received).toEqual(expect.arrayContaining(deliveries.map(({ body }) => body)))
})

test('an event that rivet fails to handle is sent again when the clock moves', async () => {
  const complaint = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => complaint.mockRestore())
  const handle = vi.fn().mockRejectedValueOnce(new Error('The database is away.'))
  const url = await listenToMeetings(handle, secretToken)
  const seed = seedOf(listener('Meetings', url, ['meeting.started']))
  await using sp = await createSkillpass({ seed })
  await sp.meetings.start(81234567890)
  expect((await sp.webhooks.next('meeting.started')).attempts).toMatchObject([{ status: 500 }])

  await sp.clock.advance('5m')
  const [delivery] = await sp.webhooks.list()
  expect(delivery?.attempts).toMatchObject([{ status: 500 }, { status: 200 }])
  expect(handle.mock.calls).toEqual([[delivery?.body], [delivery?.body]])
})

test('an endpoint of rivet with another secret token is not validated and gets no event', async () => {
  const handle = vi.fn()
  const url = await listenToMeetings(handle, 'token-of-another')
  const seed = seedOf(listener('Meetings', url, ['meeting.started']))
  await using sp = await createSkillpass({ seed })
  await sp.meetings.start(81234567890)
  const { attempts } = await sp.webhooks.next('meeting.started')
  expect(attempts).toMatchObject([
    { status: 400, error: 'The endpoint returned 400 to its validation instead of 200.' },
  ])
  expect(handle).not.toHaveBeenCalled()
})
