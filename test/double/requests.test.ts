import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { me, post, refresh, serverAt, tokensOf } from '../support/oauth-client.ts'
import { openSession } from '../support/people.ts'
import { callWith } from '../support/platform.ts'
import { member, owner, startTwoApps } from './two-apps.ts'

const scopes = ['user:read:user', 'meeting:write:meeting', 'user:read:token']
const { sp, appOf, grant } = await startTwoApps(scopes, ['user:read:user'])
const server = serverAt(sp.url)

const create = (token: string, body: unknown = { topic: 'Plan' }) =>
  callWith(server, token, '/v2/users/me/meetings', { method: 'POST', body })

test('an entry says who called which route with which scopes, and what was answered', async () => {
  const { access_token } = await grant()
  await sp.reset()
  const again = await grant()
  await create(again.access_token)
  const [exchanged, created, ...others] = sp.requests()
  expect(others).toEqual([])
  expect(exchanged).toMatchObject({
    method: 'POST',
    route: 'oauth.token',
    app: 'Scheduler',
    user: null,
    status: 200,
    error: null,
    answer: { token_type: 'bearer', expires_in: 3600 },
  })
  expect(created).toMatchObject({
    method: 'POST',
    path: '/v2/users/me/meetings',
    route: 'meetings.create',
    app: 'Scheduler',
    user: member,
    scopes: ['user:read:user', 'meeting:write:meeting', 'user:read:token'],
    status: 201,
    body: { topic: 'Plan' },
    answer: { topic: 'Plan', host_email: member },
  })
  expect(Date.parse(created?.at ?? '')).toBeLessThanOrEqual(sp.clock.now().getTime())

  // The reset has ended the first token.
  await create(access_token)
  expect(sp.requests().at(-1)).toMatchObject({
    status: 401,
    error: 'token_empty',
    app: null,
    body: { topic: 'Plan' },
    answer: { code: 4700 },
  })
})

test('no secret is in the log, wherever it was sent', async () => {
  const app = appOf('Scheduler')
  const { clientId: client_id, clientSecret: client_secret } = app
  const { code, access_token, refresh_token } = await grant()
  const form = { grant_type: 'refresh_token', refresh_token, client_id, client_secret }
  const refreshed = await post(server, '/oauth/token', form, { place: 'form' })
  await post(server, '/oauth/revoke', { token: refresh_token, client_id, client_secret })
  const { body: meeting } = await create(tokensOf(refreshed).access_token, {
    topic: 'Plan',
    password: 'pass0verX',
  })
  const token = tokensOf(refreshed).access_token
  const { body: zak } = await callWith(server, token, '/v2/users/me/token?type=zak')
  const session = openSession(server)
  const html = await (await session.get('/sign-in')).text()
  await session.submit(html, '/sign-in', { email: member, password })
  await session.get(`/meetings/${meeting.id}?pwd=pass0verX`)
  const { data } = await sp.client().registry.agents.register({ body: { username: 'publisher' } })
  await server.http(`/v2/users/me?access_token=${access_token}`)
  await callWith(server, token, '/v2/users/me/meetings', {
    method: 'POST',
    body: `{"password":"pass0verX","topic":`,
  })
  const log = JSON.stringify(sp.requests())
  const secrets = [
    ...[code, access_token, refresh_token, token, client_secret, zak.token],
    ...[password, 'pass0verX', data.apiKey, String(meeting.password)],
  ]
  for (const secret of secrets) expect(log).not.toContain(secret)
  expect(log).not.toContain(encodeURIComponent(password))
  expect(log).not.toContain(new URLSearchParams({ password }).toString())
  // The rest of the bodies stays.
  expect(log).toContain(member)
  expect(log).toContain('"grant_type":"refresh_token"')
})

test('a request is in the log as soon as its answer has been read', async () => {
  const { access_token } = await grant()
  const seen = new Set<number>()
  for (let i = 0; i < 30; i++) {
    await me(server, access_token)
    seen.add(sp.requests({ route: 'users.get' }).length)
  }
  expect(seen.size).toBe(30)
})

test('the log is filtered by route, page, path, app, user, status and time', async () => {
  const [ofMember, ofOwner] = [await grant(), await grant('Notes', owner)]
  await sp.clock.advance('1m')
  const since = sp.clock.now().toISOString()
  await me(server, ofMember.access_token)
  await me(server, ofOwner.access_token)
  await me(server, 'wrong')
  await server.http('/sign-in')
  const ownerId = sp.seeded.users[owner]?.id ?? ''
  await callWith(server, ofOwner.access_token, `/v2/users/${ownerId}`)
  const count = (filter: NonNullable<Parameters<typeof sp.requests>[0]>) =>
    sp.requests({ since, ...filter }).length
  expect(count({})).toBe(5)
  expect(count({ route: 'users.get' })).toBe(4)
  expect(count({ route: 'GET /v2/users/:userId' })).toBe(4)
  expect(count({ route: 'GET /v2/users/me' })).toBe(3)
  expect(count({ route: 'GET /sign-in' })).toBe(1)
  expect(count({ app: 'Notes' })).toBe(2)
  expect(count({ app: appOf('Scheduler').id })).toBe(1)
  expect(count({ user: owner, route: 'GET /v2/users/me' })).toBe(1)
  expect(count({ status: 401 })).toBe(1)
  expect(() => sp.requests({ route: 'user.get' })).toThrow('Did you mean users.get')
  expect(() => sp.requests({ user: 'nobody@acme.test' })).toThrow('no user "nobody@acme.test"')
})

test('next returns each request once, waits for one, and says in time what arrived', async () => {
  await sp.reset()
  const { access_token } = await grant()
  await me(server, access_token)
  const filter = { route: 'users.get' }
  const [waited] = [sp.requests.next({ ...filter, status: 401 })]
  expect(await sp.requests.next(filter)).toMatchObject({ status: 200 })
  await me(server, 'wrong')
  expect(await waited).toMatchObject({ status: 401, error: 'token_empty' })
  await expect(sp.requests.next(filter, { timeout: 0 })).rejects.toThrow(
    /^None arrived within 0 ms\. The last ones: POST \/oauth\/token.* 200, GET \/v2\/users\/me 200, GET \/v2\/users\/me 401\.$/,
  )
})

test('monitoring and the files of pages are not in the log', async () => {
  await sp.reset()
  for (const path of ['/health/live', '/assets/skillpass.css', '/favicon.ico']) {
    await server.http(path)
  }
  expect(sp.requests()).toEqual([])
})

test('the console lists the calls of an app from the same log', async () => {
  const { access_token, refresh_token } = await grant()
  await me(server, access_token)
  await refresh(server, appOf('Scheduler'), refresh_token)
  const session = openSession(server)
  const html = await (await session.get('/sign-in')).text()
  await session.submit(html, '/sign-in', { email: owner, password })
  await sp.clock.advance('2s')
  const { id } = appOf('Scheduler')
  const page = await (await session.get(`/console/apps/${id}/calls`)).text()
  const calls = sp.requests({ app: 'Scheduler' })
  expect(calls.length).toBeGreaterThan(2)
  expect(page).toContain('/v2/users/:userId')
  expect(page).toContain('/oauth/token')
})
