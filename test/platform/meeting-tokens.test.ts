import { createClient } from '@skillpass/client'
import { removeAddedApp } from '@skillpass/server/internal/oauth/added-apps'
import { findMeetingTokenUser } from '@skillpass/server/internal/people/meeting-tokens'
import { expect, test } from 'vitest'
import { startAccountUsers } from '../support/account-users.ts'
import { declare, removeUser } from '../support/apps.ts'
import { userOf } from '../support/hooked-apps.ts'
import { refused } from '../support/platform.ts'

const seconds = 1000
const form = /^smt_[0-9A-Za-z]{57}$/

const server = await startAccountUsers()
const { call, ctx, idOf } = server
const memberId = idOf('member@group.test')
const own = () => server.tokenOf('Own', 'member@group.test')
const ask = async (query = '', id = 'me', accessToken?: string) => {
  const answer = await call(accessToken ?? (await own()), `/v2/users/${id}/token${query}`)
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
  expect(Object.keys(answer.body)).toEqual(['token'])
  expect(answer.headers.get('cache-control')).toContain('no-store')
  return String(answer.body.token)
}
const userOfToken = async (token: string, type: 'token' | 'zak') =>
  (await findMeetingTokenUser(ctx, token, type))?.id
const rows = () => ctx.db.read.selectFrom('meeting_tokens').selectAll().execute()

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
  expect(await userOfToken(zak.token, 'zak')).toBe(memberId)
  expect(await userOfToken(zak.token, 'token')).toBeUndefined()
  for (const one of [token, plain]) {
    expect(await userOfToken(one.token, 'token')).toBe(memberId)
    expect(await userOfToken(one.token, 'zak')).toBeUndefined()
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
  expect(await userOfToken(token, type)).toBe(memberId)
  server.clock.advance(1)
  expect(await userOfToken(token, type)).toBeUndefined()
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
  const id = await server.add(email)
  const machine = await server.machineToken('Machine', 'Group')
  const zak = await ask('?type=zak', id, machine)
  expect(await userOfToken(zak, 'zak')).toBe(id)
  await removeUser(server, email, 'Group')
  expect(await userOfToken(zak, 'zak')).toBeUndefined()
})

test('a meeting token ends with the grant that made it', async () => {
  const mail = 'admin@group.test'
  const accessToken = await server.tokenOf('Staff', mail)
  const own = await ask('?type=zak&ttl=7776000', 'me', accessToken)
  const another = await ask('?type=zak&ttl=7776000', memberId, accessToken)
  expect(await userOfToken(own, 'zak')).toBe(idOf(mail))
  expect(await userOfToken(another, 'zak')).toBe(memberId)
  await removeAddedApp(ctx, await userOf(server, mail), server.appId('Staff'))
  expect(await userOfToken(own, 'zak')).toBeUndefined()
  expect(await userOfToken(another, 'zak')).toBeUndefined()
  expect(refused(await call(accessToken, '/v2/users/me')).trim()).toBe('401 4741')
})

const apps = [
  ['Own', () => own()],
  ['Machine', () => server.machineToken('Machine', 'Group')],
] as const
test.each(apps)('no meeting token is good while its app %s is disabled', async (name, tokenOf) => {
  const zak = await ask('?type=zak', memberId, await tokenOf())
  expect(await userOfToken(zak, 'zak')).toBe(memberId)
  const disable = (disabled: boolean) =>
    declare(server, { apps: [{ name, account: 'Group', disabled }] })
  await disable(true)
  expect(await userOfToken(zak, 'zak')).toBeUndefined()
  await disable(false)
  expect(await userOfToken(zak, 'zak')).toBe(memberId)
})

test('a meeting token is refused by the API, and no other secret is accepted as a meeting token', async () => {
  const accessToken = await own()
  const zak = await ask('?type=zak')
  const answer = await call(zak, '/v2/users/me')
  expect(refused(answer).trim()).toBe('401 4700')
  const changed = `${zak.slice(0, -1)}${zak.endsWith('a') ? 'b' : 'a'}`
  for (const text of ['', 'smt_', 'a\0b', changed, `${zak} `, accessToken]) {
    expect(await userOfToken(text, 'zak')).toBeUndefined()
  }
})
