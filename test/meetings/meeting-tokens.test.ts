import { createClient } from '@skillpass/client'
import { expect, test } from 'vitest'
import { startAccountUsers } from '../support/account-users.ts'
import { addUser, declare, removeUser } from '../support/apps.ts'
import { opensAsHost } from '../support/meetings.ts'
import { refused } from '../support/platform.ts'

const seconds = 1000
const form = /^smt_[0-9A-Za-z]{57}$/

const server = await startAccountUsers()
const { callWith: call, idOf } = server
const memberId = idOf('member@group.test')
const own = () => server.tokenOf('Own', 'member@group.test')
const ask = async (query = '', id = 'me', accessToken?: string) => {
  const answer = await call(accessToken ?? (await own()), `/v2/users/${id}/token${query}`)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  expect(Object.keys(answer.body)).toEqual(['token'])
  expect(answer.headers.get('cache-control')).toContain('no-store')
  return String(answer.body.token)
}
const machine = await server.ownTokenOf('Machine', 'Group')
/** The number of a user's personal meeting. */
const pmiOf = async (id: string, token = machine) => (await call(token, `/v2/users/${id}`)).body.pmi
const pmis = new Map([
  [memberId, await pmiOf(memberId)],
  [idOf('admin@group.test'), await pmiOf('admin@group.test')],
])
/** Whether a meeting token opens the page of a user's personal meeting. */
const opens = async (token: string, type: 'token' | 'zak', id = memberId) => {
  const pmi = pmis.get(id)
  if (type === 'zak') return opensAsHost(server, pmi, token)
  const page = await server.http(`/meetings/${pmi}?${new URLSearchParams({ token })}`)
  return (await page.text()).includes('Personal Meeting Room')
}
const rows = () => server.ctx.db.read.selectFrom('meeting_tokens').selectAll().execute()

test('a meeting token is for the user who asks, and of the requested type alone', async () => {
  const accessToken = await own()
  const { platform } = createClient({ baseUrl: server.url, accessToken, retries: 0 })
  const params = { userId: 'me' }
  const [zak, token, plain] = [
    await platform.users.createToken({ params, query: { type: 'zak', ttl: 60 } }),
    await platform.users.createToken({ params, query: { type: 'token' } }),
    await platform.users.createToken({ params, query: {} }),
  ]
  for (const one of [zak, token, plain]) expect(one.token).toMatch(form)
  expect(new Set([zak.token, token.token, plain.token]).size).toBe(3)
  expect(await opens(zak.token, 'zak')).toBe(true)
  expect(await opens(zak.token, 'token')).toBe(false)
  for (const one of [token, plain]) {
    expect(await opens(one.token, 'token')).toBe(true)
    expect(await opens(one.token, 'zak')).toBe(false)
  }
})

const lives: [string, 'token' | 'zak', number][] = [
  ['?type=zak', 'zak', 7200],
  ['?type=zak&ttl=1', 'zak', 1],
  ['?type=zak&ttl=7776000', 'zak', 7_776_000],
  ['', 'token', 7200],
  ['?type=token&ttl=60', 'token', 7200],
  ['?ttl=0', 'token', 7200],
]
test.each(lives)('a meeting token of %s expires to the second', async (query, type, life) => {
  const token = await ask(query)
  server.clock.advance(life * seconds - 1)
  expect(await opens(token, type)).toBe(true)
  server.clock.advance(1)
  expect(await opens(token, type)).toBe(false)
})

const bad: [string, string][] = [
  ['ttl=0', 'ttl'],
  ['ttl=7776001', 'ttl'],
  ['ttl=an+hour', 'ttl'],
  ['ttl=60&ttl=61', 'ttl'],
  ['type=onbehalf', 'type'],
]
test.each(bad)('a meeting token with %s is refused with 300', async (query, field) => {
  const before = (await rows()).length
  const [name = ''] = query.split('=')
  const rest = name === 'ttl' ? '&type=zak' : ''
  const answer = await call(await own(), `/v2/users/me/token?${query}${rest}`)
  expect(refused(answer)).toBe(`400 300 ${field}`)
  expect(await rows()).toHaveLength(before)
})

test('a meeting token ends with its user', async () => {
  const email = 'gone@group.test'
  const id = await addUser(server, email, { account: 'Group' })
  const machine = await server.ownTokenOf('Machine', 'Group')
  const zak = await ask('?type=zak', id, machine)
  const pmi = await pmiOf(id, machine)
  expect(await opensAsHost(server, pmi, zak)).toBe(true)
  await removeUser(server, email, 'Group')
  expect(await opensAsHost(server, pmi, zak)).toBe(false)
})

test('a meeting token ends with the grant that made it', async () => {
  const mail = 'admin@group.test'
  const accessToken = await server.tokenOf('Staff', mail)
  const own = await ask('?type=zak&ttl=7776000', 'me', accessToken)
  const another = await ask('?type=zak&ttl=7776000', memberId, accessToken)
  expect(await opens(own, 'zak', idOf(mail))).toBe(true)
  expect(await opens(another, 'zak')).toBe(true)
  await server.removeApp(server.appId('Staff'), mail)
  expect(await opens(own, 'zak', idOf(mail))).toBe(false)
  expect(await opens(another, 'zak')).toBe(false)
  expect(refused(await call(accessToken, '/v2/users/me')).trim()).toBe('401 4741')
})

const apps = [
  ['Own', () => own()],
  ['Machine', () => server.ownTokenOf('Machine', 'Group')],
] as const
test.each(apps)('no meeting token is valid while its app %s is disabled', async (name, tokenOf) => {
  const zak = await ask('?type=zak', memberId, await tokenOf())
  expect(await opens(zak, 'zak')).toBe(true)
  const disable = (disabled: boolean) =>
    declare(server, { apps: [{ name, account: 'Group', disabled }] })
  await disable(true)
  expect(await opens(zak, 'zak')).toBe(false)
  await disable(false)
  expect(await opens(zak, 'zak')).toBe(true)
})

test('a meeting token is refused by the API, and no other secret is accepted as a meeting token', async () => {
  const accessToken = await own()
  const zak = await ask('?type=zak')
  const answer = await call(zak, '/v2/users/me')
  expect(refused(answer).trim()).toBe('401 4700')
  const changed = `${zak.slice(0, -1)}${zak.endsWith('a') ? 'b' : 'a'}`
  for (const text of ['', 'smt_', 'a\0b', changed, `${zak} `, accessToken]) {
    expect(await opens(text, 'zak')).toBe(false)
  }
})
