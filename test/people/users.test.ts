import { createClient } from '@skillpass/client'
import { expect, test } from 'vitest'
import { startAccountUsers } from '../support/account-users.ts'
import { addUser, declare } from '../support/apps.ts'
import { authUrl } from '../support/oauth-server.ts'
import { refused } from '../support/platform.ts'
import { words } from '../support/words.ts'

const profile = {
  first_name: 'Měřička',
  last_name: '🧩',
  display_name: 'M. from sales',
  timezone: 'Europe/Prague',
  language: 'cs-CZ',
  dept: 'Sales',
  company: 'Group Ltd',
  job_title: 'Head of Sales',
  location: 'Brno',
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/

const server = await startAccountUsers()
const { callWith: call, idOf, tokenOf } = server
const own = await tokenOf('Own', 'member@group.test')
const staff = await tokenOf('Staff', 'admin@group.test')
const above = await tokenOf('Above', 'owner@group.test')
const patch = (accessToken: string, body: unknown, id = 'me') =>
  call(accessToken, `/v2/users/${id}`, { method: 'PATCH', body })

test('the profile of me has every field, and the personal meeting with its password', async () => {
  const id = idOf('member@group.test')
  const { platform } = createClient({ baseUrl: server.url, accessToken: own, retries: 0 })
  const me = await platform.users.get({ params: { userId: 'me' } })
  expect(me).toEqual({
    id,
    account_id: server.accountId('Group'),
    account_name: 'Group',
    email: 'member@group.test',
    first_name: 'member',
    last_name: 'Tester',
    display_name: 'member Tester',
    type: 1,
    role_name: 'Member',
    status: 'active',
    pmi: expect.any(Number),
    timezone: 'UTC',
    language: 'en-US',
    dept: '',
    company: '',
    job_title: '',
    location: '',
    pic_url: '',
    verified: 1,
    created_at: expect.stringMatching(instant),
    last_login_time: expect.stringMatching(instant),
    personal_meeting_url: expect.stringMatching(`^${authUrl}/meetings/${me.pmi}\\?pwd=\\w+$`),
  })
  expect(String(me.pmi)).toMatch(/^[1-9]\d{9}$/)
})

test('nobody else can read the password of the personal meeting', async () => {
  const id = idOf('member@group.test')
  const { pmi } = (await call(own, '/v2/users/me')).body
  const machine = await server.ownTokenOf('Machine', 'Group')
  for (const accessToken of [staff, machine]) {
    const { body } = await call(accessToken, `/v2/users/${id}`)
    expect(body.personal_meeting_url).toBe(`${authUrl}/meetings/${pmi}`)
  }
  const { body } = await call(machine, '/v2/users/me')
  expect(body).toMatchObject({ email: 'owner@group.test' })
  expect(body.personal_meeting_url).not.toContain('pwd')
})

test('a change of a profile sets only the fields of its body', async () => {
  const id = await addUser(server, 'changed@group.test', { account: 'Group' })
  const token = await tokenOf('Own', 'changed@group.test')
  const { platform } = createClient({ baseUrl: server.url, accessToken: token, retries: 0 })
  await platform.users.update({ params: { userId: 'me' }, body: profile })
  const before = await call(token, '/v2/users/me')
  expect(before.body).toMatchObject({ id, ...profile })

  const answer = await patch(token, { dept: 'Support', display_name: '' })
  expect([answer.status, answer.text]).toEqual([204, ''])
  const { body } = await call(token, '/v2/users/me')
  const changed = { dept: 'Support', display_name: 'Měřička 🧩' }
  expect(body).toEqual({ ...before.body, ...changed })
})

test('null changes nothing, and neither does an empty timezone or language', async () => {
  await addUser(server, 'lenient@group.test', { account: 'Group' })
  const token = await tokenOf('Own', 'lenient@group.test')
  expect((await patch(token, profile)).status).toBe(204)
  const before = await call(token, '/v2/users/me')
  const nothing = Object.fromEntries(Object.keys(profile).map((name) => [name, null]))
  expect((await patch(token, nothing)).status).toBe(204)
  expect((await patch(token, { timezone: '', language: '' })).status).toBe(204)
  expect((await call(token, '/v2/users/me')).body).toEqual(before.body)
  expect((await patch(token, { dept: null, company: '', timezone: '' })).status).toBe(204)
  expect((await call(token, '/v2/users/me')).body).toEqual({ ...before.body, company: '' })
})

const nul = 'a\u0000b'
const lone = '{"company":"\\ud800"}'
const bad: [string, unknown, string][] = [
  ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone'],
  ['a first name of 65 characters', { first_name: 'x'.repeat(65) }, 'first_name'],
  ['NUL', { first_name: nul }, 'first_name'],
  ['a hidden character', { display_name: 'a\u202eb' }, 'display_name'],
  ['a lone surrogate', lone, 'company'],
  ['a number instead of text', { dept: 1 }, 'dept'],
  ['an unknown field', { nickname: 'x' }, 'nickname'],
  ['two unknown fields', { a: 1, b: 2 }, 'a b'],
  ['role', { role: 'owner' }, 'role'],
  ['email', { email: 'mine@group.test' }, 'email'],
  ['password', { password: 'correct horse staple' }, 'password'],
  ['null', 'null', ''],
  ['invalid JSON', '{"dept":', ''],
]
test.each(bad)('a change with %s is refused and changes nothing', async (_, body, fields) => {
  const before = await call(own, '/v2/users/me')
  const answer = await patch(own, body)
  expect(refused(answer).trim()).toBe(`400 300 ${fields}`.trim())
  expect((await call(own, '/v2/users/me')).body).toEqual(before.body)
})

const machine = await server.ownTokenOf('Machine', 'Group')
/** The result of a token for each user that it names. Ids give the same result as emails. */
const reach: [who: string, accessToken: string, answer: string, emails: string][] = [
  ['a user', own, 'good', 'MEMBER@group.test me'],
  [
    'a user',
    own,
    '403 4711',
    'other@group.test member@other.test member@company.test nobody@group.test unknown @',
  ],
  ['an admin', staff, 'good', 'me other@group.test Other@Group.TEST other%40group.test'],
  [
    'an admin',
    staff,
    '404 1001',
    'member@other.test owner@acme.test member@company.test nobody@group.test unknown a%00b a%00@b',
  ],
  ['a master', above, 'good', 'me member@company.test'],
  ['a master', above, '404 1001', 'member@group.test member@other.test'],
  ['the account', machine, 'good', 'me'],
]
/** Every route that names a user, with its response to those who may call it. */
const routes: [string, string, number][] = [
  ['GET', '', 200],
  ['PATCH', '', 204],
  ['GET', '/token', 200],
]

test.each(routes)(
  '%s /v2/users/{userId}%s accepts users within the scopes, and returns one error for all others',
  async (method, rest, good) => {
    const body = method === 'PATCH' ? {} : undefined
    for (const [who, accessToken, answer, emails] of reach) {
      const texts = new Set<string>()
      for (const email of words(emails)) {
        const isDeclared = server.applied.accounts.some(({ users }) =>
          users.some((user) => user.email === email),
        )
        for (const id of isDeclared ? [email, idOf(email)] : [email]) {
          const got = await call(accessToken, `/v2/users/${id}${rest}`, { method, body })
          const expected = answer === 'good' ? `${good}` : answer
          expect([who, id, refused(got).trim()]).toEqual([who, id, expected])
          texts.add(got.text)
        }
      }
      if (answer !== 'good') expect([...texts]).toHaveLength(1)
    }
    const colleague = idOf('other@group.test')
    const foreign = await call(own, `/v2/users/${colleague}${rest}`, { method, body })
    expect(foreign.headers.get('www-authenticate')).toMatch(/^Bearer .*error="insufficient_scope"/)
    expect(foreign.body.message).toMatch(/does not contain scopes:\[user:\S+:admin, .*:master/)
  },
)

test('a former admin can access only their own profile', async () => {
  const email = 'former@group.test'
  const id = await addUser(server, email, { account: 'Group', role: 'admin' })
  const token = await tokenOf('Staff', email)
  const colleague = idOf('other@group.test')
  expect((await patch(token, { dept: 'Before' }, colleague)).status).toBe(204)
  await declare(server, { accounts: [{ name: 'Group', users: [{ email, role: 'member' }] }] })
  const refusal = await patch(token, { dept: 'After' }, colleague)
  expect(refused(refusal)).toBe('403 4711')
  expect(refusal.body.message).toContain('Admin scopes work only while the user is an admin')
  expect((await call(staff, `/v2/users/${colleague}`)).body.dept).toBe('Before')
  expect((await patch(token, { dept: 'Own' }, id)).status).toBe(204)
})
