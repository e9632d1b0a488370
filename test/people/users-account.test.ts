import { createClient } from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { startAccountUsers } from '../support/account-users.ts'
import { addUser, declare, password } from '../support/apps.ts'
import { engine as defaultEngine, engines } from '../support/databases.ts'
import { atOnce, authUrl, tally } from '../support/oauth-server.ts'
import { openSession, signIn } from '../support/people.ts'
import { refused } from '../support/platform.ts'
import { words } from '../support/words.ts'

describe.each(engines)('the users of an account on %s', async (engine) => {
  const server = await startAccountUsers(engine)
  const { callWith: call, idOf, accountId } = server
  const own = await server.tokenOf('Own', 'member@group.test')
  const staff = await server.tokenOf('Staff', 'admin@group.test')
  const above = await server.tokenOf('Above', 'owner@group.test')
  const machine = await server.ownTokenOf('Machine', 'Group')
  const platform = createClient({ baseUrl: server.url, accessToken: staff, retries: 0 }).platform

  const get = (id: string) => call(staff, `/v2/users/${id}`)

  /** Cases without database access run on one engine only. */
  const onlyOnce = <T>(cases: readonly T[]) => (engine === defaultEngine ? cases : [])

  /** A token that a former admin granted while they were an admin. */
  const formerAdmin = async (name: string) => {
    const email = `${name}@group.test`
    await addUser(server, email, { account: 'Group', role: 'admin' })
    const token = await server.tokenOf('Staff', email)
    await declare(server, { accounts: [{ name: 'Group', users: [{ email, role: 'member' }] }] })
    return token
  }

  test('the list has the users of the account with their profiles, except the personal meeting', async () => {
    const page = await platform.users.list({ query: {} })
    const ids = page.users.map(({ id }) => id)
    expect(page).toMatchObject({ page_size: 30, next_page_token: '' })
    expect(page.total_records).toBe(ids.length)
    expect(ids).toContain(idOf('owner@group.test'))
    expect(new Set(page.users.map(({ account_id }) => account_id))).toEqual(
      new Set([accountId('Group')]),
    )
    for (const user of page.users) {
      const { personal_meeting_url, ...rest } = await platform.users.get({
        params: { userId: user.id },
      })
      expect(personal_meeting_url).toContain(String(user.pmi))
      expect(user).toEqual(rest)
    }
  })

  test('pages of users contain each user once, in a stable order, while users are added', async () => {
    const add = (count: number, name: string) =>
      declare(server, {
        accounts: [
          {
            name: 'Acme',
            users: Array.from({ length: count }, (_, i) => ({
              email: `${name}${i}@acme.test`,
              password,
            })),
          },
        ],
      })
    await add(22, 'early')
    const accessToken = await server.tokenOf('Directory', 'admin@acme.test')
    const { users } = createClient({ baseUrl: server.url, accessToken, retries: 0 }).platform
    const { users: present } = await users.list({ query: { page_size: 300 } })
    const seen: string[] = []
    let next_page_token = ''
    for (let page = 0; page < 20; page++) {
      const answer = await users.list({ query: { page_size: 7, next_page_token } })
      expect(answer.users.length).toBeLessThanOrEqual(7)
      expect(answer.total_records).toBe(25 + page)
      seen.push(...answer.users.map(({ id }) => id))
      next_page_token = answer.next_page_token
      if (next_page_token === '') break
      await add(1, `late${page}-`)
    }
    expect(next_page_token).toBe('')
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual([...seen].sort())
    for (const { id } of present) expect(seen).toContain(id)
  })

  const bad = words(`
      page_size=0 page_size=301 page_size=ten page_size=1&page_size=2 page_number=2 status=removed
      account_id=a%00b next_page_token=x next_page_token=a&next_page_token=b
    `)
  test.each(onlyOnce(bad))('a list of users with %s returns 300', async (query) => {
    const [field] = query.split('=')
    expect(refused(await call(staff, `/v2/users?${query}`))).toBe(`400 300 ${field}`)
  })

  test('the list of the account requires an admin scope, and that of a sub-account a master scope', async () => {
    const of = (name: string) => `/v2/users?account_id=${accountId(name)}`
    expect((await call(staff, of('Group'))).status).toBe(200)
    expect(refused(await call(above, '/v2/users'))).toBe('403 4711')
    expect(refused(await call(above, of('Group')))).toBe('403 4711')
    const below = await call(above, of('Company'))
    const emails = (below.body.users as { email: string }[]).map(({ email }) => email).sort()
    expect(emails).toEqual(['member@company.test', 'owner@company.test'])
    expect(refused(await call(own, '/v2/users'))).toBe('403 4711')
  })

  test('a list of another account gets the same error as one of an unknown account', async () => {
    const of = (id: string) => `/v2/users?account_id=${id}`
    const others = [accountId('Other'), accountId('Acme West'), 'unknown']
    const [first, ...rest] = await Promise.all(others.map((id) => call(above, of(id))))
    expect(first && refused(first)).toBe('404 1001')
    for (const answer of rest) expect(answer.text).toBe(first?.text)
    const refusals = await Promise.all(
      [...others, accountId('Company')].map((id) => call(staff, of(id))),
    )
    for (const answer of refusals) {
      expect(refused(answer)).toBe('403 4711')
      expect(answer.text).toBe(refusals[0]?.text)
    }
  })

  describe('added users', () => {
    const add = (accessToken: string, user_info: object | undefined, more: object = {}) => {
      const body = { action: 'create', user_info, ...more }
      return call(accessToken, '/v2/users', { method: 'POST', body })
    }

    test('an added user is a member who can sign in, with a personal meeting', async () => {
      const email = 'Nina@group.test'
      const shown = { email, first_name: 'Nina', last_name: 'New', type: 2 } as const
      const [display_name, password] = ['Nina 🧩', 'correct horse staple']
      const user_info = { ...shown, display_name, password }
      const made = await platform.users.create({ body: { action: 'create', user_info } })
      expect(made).toEqual({ id: made.id, ...shown })
      const seen = await platform.users.get({ params: { userId: made.id } })
      const added = { role_name: 'Member', account_id: accountId('Group'), last_login_time: null }
      expect(seen).toMatchObject({ display_name, type: 2, ...added })
      expect(seen.personal_meeting_url).toBe(`${authUrl}/meetings/${seen.pmi}`)
      await signIn(server, { email: 'nina@group.test', password })
      const listed = await platform.users.list({ query: { page_size: 300 } })
      expect(listed.users.map(({ id }) => id)).toContain(made.id)
    })

    test('a user added without a password cannot sign in until the operator sets one', async () => {
      const email = 'later@group.test'
      const answer = await add(staff, { email }, { action: 'autoCreate' })
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ email, first_name: '', last_name: '', type: 1 })
      for (const guess of ['', ' ', password]) {
        const session = openSession(server)
        const html = await (await session.get('/sign-in')).text()
        const response = await session.submit(html, '/sign-in', { email, password: guess })
        expect(response.status).not.toBe(303)
      }
      await declare(server, { accounts: [{ name: 'Group', users: [{ email, password }] }] })
      await signIn(server, { email, password })
      expect((await get(email)).body.id).toBe(answer.body.id)
    })

    test('a user with an existing email of the account, in any case, is refused with 1005', async () => {
      const taken = ['member@group.test', 'MEMBER@Group.test', ' member@group.test ']
      for (const email of taken) {
        expect(refused(await add(staff, { email, password }))).toBe('409 1005')
      }
    })

    test('only one of eight concurrent requests with one email adds a user', async () => {
      const email = 'contested@group.test'
      const answers = await atOnce(8, () => add(staff, { email }))
      expect(tally(answers.map(refused).map((text) => text.trim()))).toEqual({
        201: 1,
        '409 1005': 7,
      })
    })

    const email = 'bad@group.test'
    const bad: [string, object | undefined, object, string][] = [
      ['no user_info', undefined, {}, 'user_info'],
      ['an email without @', { email: 'bad' }, {}, 'user_info.email'],
      ['an email with NUL', { email: 'b\0d@group.test' }, {}, 'user_info.email'],
      ['a short password', { email, password: 'a1b2c3d' }, {}, 'user_info.password'],
      ['the email for a password', { email, password: 'BAD@group.test' }, {}, 'user_info.password'],
      ['NUL in a password', { email, password: 'abcdefgh\0' }, {}, 'user_info.password'],
      ['an unknown type', { email, type: 3 }, {}, 'user_info.type'],
      ['another action', { email }, { action: 'remove' }, 'action'],
      ['no action', { email }, { action: undefined }, 'action'],
      ['NUL in account_id', { email }, { account_id: '\0' }, 'account_id'],
    ]
    test.each(onlyOnce(bad))('a user with %s is not added', async (_, user_info, more, field) => {
      expect(refused(await add(staff, user_info, more))).toBe(`400 300 ${field}`)
      expect(refused(await get(email))).toBe('404 1001')
    })

    test('adding a user to the account requires an admin scope, and to a sub-account a master scope', async () => {
      const below = { account_id: accountId('Company') }
      expect(refused(await add(own, { email }))).toBe('403 4711')
      expect(refused(await add(above, { email }))).toBe('403 4711')
      expect(refused(await add(staff, { email }, below))).toBe('403 4711')
      expect(refused(await add(await formerAdmin('adder'), { email }))).toBe('403 4711')
      for (const name of ['Other', 'Acme West']) {
        const account_id = accountId(name)
        expect(refused(await add(above, { email }, { account_id }))).toBe('404 1001')
      }
      expect(refused(await get(email))).toBe('404 1001')
      const made = await add(above, { email: 'below@company.test' }, below)
      expect(made.status).toBe(201)
      const { body } = await call(above, `/v2/users/${made.body.id}`)
      expect(body.account_id).toBe(below.account_id)
    })
  })

  const remove = (accessToken: string, id: string, query = '') =>
    call(accessToken, `/v2/users/${id}${query}`, { method: 'DELETE' })

  test('a user can be removed by email and with an empty action', async () => {
    const id = await addUser(server, 'mailed@group.test', { account: 'Group' })
    expect((await remove(staff, 'Mailed@group.test', '?action=')).status).toBe(204)
    expect(refused(await get(id))).toBe('404 1001')
    expect(refused(await remove(staff, 'mailed@group.test'))).toBe('404 1001')
  })

  test('a removal of the owner of an account is refused with 300', async () => {
    for (const token of [staff, machine]) {
      expect(refused(await remove(token, idOf('owner@group.test')))).toBe('400 300 userId')
    }
    expect(refused(await remove(above, idOf('owner@company.test')))).toBe('400 300 userId')
    expect((await server.me(above)).body).toMatchObject({ email: 'owner@group.test' })
  })

  test('a removal requires an admin scope of a current admin', async () => {
    const id = idOf('other@group.test')
    const former = await formerAdmin('remover')
    for (const token of [own, former]) {
      expect(refused(await remove(token, id))).toBe('403 4711')
      expect(refused(await remove(token, 'me'))).toBe('403 4711')
      expect(refused(await remove(token, idOf('member@group.test')))).toBe('403 4711')
    }
    expect((await call(staff, `/v2/users/${id}`)).status).toBe(200)
  })

  test('a removal of a user of another account is refused with 1001', async () => {
    for (const email of ['member@other.test', 'member@company.test']) {
      expect(refused(await remove(staff, idOf(email)))).toBe('404 1001')
    }
    for (const id of ['unknown', 'a%00b']) {
      expect(refused(await remove(staff, id))).toBe('404 1001')
    }
    expect(refused(await remove(above, idOf('other@group.test')))).toBe('404 1001')
    expect(refused(await remove(above, idOf('member@other.test')))).toBe('404 1001')
  })
})
