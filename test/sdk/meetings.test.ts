import { authorizationCode, createClient, MissingScopeError } from '@skillpass/client'
import { expect, test } from 'vitest'
import { callback, credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { startTestServer } from '../support/server.ts'
import { declaredUser } from './oauth-user.ts'

const server = await startTestServer()
const scopes = ['meeting:write:meeting', 'meeting:read:list_meetings', 'meeting:delete:meeting']
const app = { ...testAccounts.apps[0], name: 'Planner', scopes, optionalScopes: [] }
const applied = await declare(server, { ...testAccounts, apps: [app] })
const member = declaredUser(server, applied, 'member@testAccounts.test')

/** The resource API for the member, who has allowed the app. */
async function openPlatform() {
  const { clientId, clientSecret } = credentialsOf(applied, 'Planner')
  const options = { authUrl: server.url, clientId, clientSecret, redirectUri: callback }
  const flow = authorizationCode(options)
  const pending = await flow.start()
  const accessToken = await flow.finish(await member.consent(pending.url), pending)
  return createClient({ baseUrl: server.url, accessToken, retries: 0 }).platform
}

test('creates meetings and goes through all of them, page after page, each once', async () => {
  const { meetings } = await openPlatform()
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

test('names the scopes that would do where the token has none of them', async () => {
  const { meetings } = await openPlatform()
  const refused = meetings.get({ params: { meetingId: '1' } })
  await expect(refused).rejects.toThrow(MissingScopeError)
  await expect(refused).rejects.toThrow('meeting:read:meeting')
})
