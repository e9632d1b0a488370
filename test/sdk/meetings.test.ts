import { authorizationCode, createClient } from '@skillpass/client'
import { expect, test } from 'vitest'
import { callback, credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { startTestServer } from '../support/server.ts'
import { declaredUser } from './oauth-user.ts'

const server = await startTestServer()
const scopes = ['meeting:write:meeting', 'meeting:read:list_meetings', 'meeting:delete:meeting']
const app = { ...testAccounts.apps[0], name: 'Planner', scopes, optionalScopes: [] }
const applied = await declare(server, { ...testAccounts, apps: [app] })
const member = declaredUser(server, applied, 'member@acme.test')

test('the client creates meetings and iterates over every page of them, each meeting once', async () => {
  const flow = authorizationCode({
    authUrl: server.url,
    ...credentialsOf(applied, 'Planner'),
    redirectUri: callback,
  })
  const pending = await flow.start()
  const accessToken = await flow.finish(await member.consent(pending.url), pending)
  const { meetings } = createClient({ baseUrl: server.url, accessToken }).platform
  const params = { userId: 'me' }
  const ids: number[] = []
  for (const topic of ['a', 'b', 'c', 'd', 'e']) {
    const body = { topic, type: 2, start_time: '2027-01-11T09:30:00Z', duration: 45 } as const
    const created = await meetings.create({ params, body })
    expect(created).toMatchObject({ topic, duration: 45, host_id: member.id })
    ids.push(created.id)
  }
  const listed: number[] = []
  for await (const { id } of meetings.list.all({ params, query: { page_size: 2 } })) {
    listed.push(id)
  }
  expect(listed.sort()).toEqual(ids.sort())
  const [first = 0] = ids
  expect(await meetings.remove({ params: { meetingId: String(first) } })).toBeUndefined()
  const lists = meetings.list.all({ params, query: { page_size: 1 } })
  const left: number[] = []
  for await (const { id } of lists) left.push(id)
  expect(left.sort()).toEqual(ids.slice(1))
})
