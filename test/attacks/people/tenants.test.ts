import { expect, test } from 'vitest'
import { z } from 'zod'
import { startAccountUsers } from '../../support/account-users.ts'
import { declare, password } from '../../support/apps.ts'
import { engine } from '../../support/databases.ts'
import { openSession, signIn } from '../../support/people.ts'
import { refused } from '../../support/platform.ts'

const Users = z.object({ users: z.array(z.object({ id: z.string() })) })

const server = await startAccountUsers(engine)
const { callWith: call } = server
const staff = await server.tokenOf('Staff', 'admin@group.test')
const add = (email: string, more: object = {}) =>
  call(staff, '/v2/users', {
    method: 'POST',
    body: { action: 'create', user_info: { email, password: 'correct horse staple', ...more } },
  })
const statusOf = async (email: string, secret: string) => {
  const browser = openSession(server)
  const html = await (await browser.get('/sign-in')).text()
  return (await browser.submit(html, '/sign-in', { email, password: secret })).status
}

test('adding a user with an email from another account looks the same as with an unused email', async () => {
  const before = await signIn(server, { email: 'member@acme.test', password })
  const views = []
  for (const email of ['member@acme.test', 'nobody@acme.test']) {
    const made = await add(email)
    const shown = await call(staff, `/v2/users/${made.body.id}`)
    const byEmail = await call(staff, `/v2/users/${email.toUpperCase()}`)
    expect(byEmail.body).toEqual(shown.body)
    const again = await add(email)
    const listed = await call(staff, '/v2/users?status=pending&page_size=300')
    const active = await call(staff, '/v2/users?page_size=300')
    const idsOf = ({ body }: typeof listed) => Users.parse(body).users.map(({ id }) => id)
    const headersOf = ({ headers }: typeof made) =>
      [...headers.keys()].filter((name) => name !== 'date').sort()
    views.push({
      made: [made.status, Object.keys(made.body), headersOf(made)],
      shown: [shown.status, shown.body.verified, shown.body.status, Object.keys(shown.body)],
      again: [again.status, again.body],
      isPending: idsOf(listed).includes(String(made.body.id)),
      isActive: idsOf(active).includes(String(made.body.id)),
      signIn: await statusOf(email, 'correct horse staple'),
    })
  }
  expect(views[0]).toEqual(views[1])
  expect(views[0]).toMatchObject({
    made: [201, expect.anything(), expect.anything()],
    shown: [200, 0, 'pending', expect.anything()],
    isPending: true,
    isActive: false,
    signIn: 400,
  })
  // The session and password of the user in the other account still work.
  expect((await before.get('/my/apps')).status).toBe(200)
  await signIn(server, { email: 'member@acme.test', password })
  const { entries } = await server.operate('audit', '--who', 'member@acme.test')
  const actions = ['sign-in', 'user.created'].map((action) => expect.objectContaining({ action }))
  expect(entries).toEqual(expect.arrayContaining(actions))
})

test('a new user’s email is verified only on the account’s own domain, not on subdomains or other domains', async () => {
  const states: Record<string, unknown> = {}
  for (const email of ['a@group.test', 'b@GROUP.test', 'c@sub.group.test', 'd@notgroup.test']) {
    const { body } = await add(email)
    const shown = (await call(staff, `/v2/users/${body.id}`)).body
    states[email] = [shown.verified, shown.status]
  }
  expect(states).toEqual({
    'a@group.test': [1, 'active'],
    'b@GROUP.test': [1, 'active'],
    'c@sub.group.test': [0, 'pending'],
    'd@notgroup.test': [0, 'pending'],
  })
  await signIn(server, { email: 'b@group.test', password: 'correct horse staple' })
})

test('the operator verifies a pending email by user or domain, but not one of another account', async () => {
  const one = await add('one@proven.test')
  const two = await add('two@proven.test')
  const verifiedOf = async (id: unknown) => (await call(staff, `/v2/users/${id}`)).body.verified
  expect(await statusOf('one@proven.test', 'correct horse staple')).toBe(400)
  await declare(server, { accounts: [{ name: 'Group', users: [{ email: 'one@proven.test' }] }] })
  expect([await verifiedOf(one.body.id), await verifiedOf(two.body.id)]).toEqual([1, 0])
  await signIn(server, { email: 'one@proven.test', password: 'correct horse staple' })

  const taken = await add('member@careful.test')
  await declare(server, {
    accounts: [{ name: 'Group', domains: ['group.test', 'Proven.test', 'careful.test'] }],
  })
  expect(await verifiedOf(two.body.id)).toBe(1)
  // The domain now belongs to the account, but the email belongs to a user of another account.
  expect(await verifiedOf(taken.body.id)).toBe(0)
  await signIn(server, { email: 'member@careful.test', password })
  const stolen = declare(server, {
    accounts: [{ name: 'Group', users: [{ email: 'member@careful.test' }] }],
  })
  await expect(stolen).rejects.toThrow('member@careful.test is a user of another account')
  const domain = declare(server, { accounts: [{ name: 'Other', domains: ['proven.test'] }] })
  await expect(domain).rejects.toThrow('proven.test belongs to another account')
})
test.each([
  ['U+202E RIGHT-TO-LEFT OVERRIDE', '\u202e'],
  ['U+E0041 TAG CHARACTER', '\u{e0041}'],
])('the API and apply refuse an email with %s and name it', async (name, character) => {
  const apply = (account: object) => declare(server, { accounts: [{ name: 'Hidden', ...account }] })
  for (const email of [`a${character}b@group.test`, `a@gr${character}oup.test`]) {
    const response = await add(email)
    expect(refused(response)).toBe('400 300 user_info.email')
    expect(response.text).toContain(name)
    await expect(apply({ users: [{ email, password }] })).rejects.toThrow(
      `accounts[0].users[0].email: must not contain ${name}`,
    )
  }
  await expect(apply({ domains: [`gr${character}oup.test`] })).rejects.toThrow(
    `accounts[0].domains[0]: must not contain ${name}`,
  )
})
