import { listAudit } from '@skillpass/server/audit/list'
import { makeUser } from '@skillpass/server/platform/user-changes'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startAccountUsers } from '../../support/account-users.ts'
import { declare, password } from '../../support/apps.ts'
import { engine } from '../../support/databases.ts'
import { openSession, signIn } from '../../support/people.ts'

const Users = z.object({ users: z.array(z.object({ id: z.string() })) })

describe('users that a tenant makes', async () => {
  const scene = await startAccountUsers(engine)
  const { call } = scene
  const staff = await scene.tokenOf('Staff', 'admin@group.test')
  const add = (email: string, more: object = {}) =>
    call(staff, '/v2/users', {
      method: 'POST',
      body: { action: 'create', user_info: { email, password: 'correct horse staple', ...more } },
    })
  const statusOf = async (email: string, secret: string) => {
    const browser = openSession(scene)
    const html = await (await browser.get('/sign-in')).text()
    return (await browser.submit(html, '/sign-in', { email, password: secret })).status
  }

  test('an email that exists elsewhere is answered, shown and listed like one that does not', async () => {
    const before = await signIn(scene, { email: 'member@testAccounts.test', password })
    // One is a user of another account, the other nobody's.
    const views = []
    for (const email of ['member@testAccounts.test', 'nobody@testAccounts.test']) {
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
    // The user of the other account is as before: the session, the password, the account.
    expect((await before.get('/my/apps')).status).toBe(200)
    await signIn(scene, { email: 'member@testAccounts.test', password })
    // By the email the operator finds what either did.
    const log = await listAudit(scene.ctx, { who: 'member@testAccounts.test', limit: 1000 })
    const actions = log.map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['sign-in', 'user.created']))
  })

  test('the answers take the same time', async () => {
    const times: Record<string, number[]> = { taken: [], free: [] }
    const account = scene.accountId('Other')
    for (let i = 0; i < 40; i++) {
      const names = { firstName: '', lastName: '', passwordHash: '', role: 'member' as const }
      await scene.ctx.db.write((trx) =>
        makeUser(scene.ctx, trx, { ...names, accountId: account, email: `here${i}@other.test` }),
      )
      const emails = [
        ['taken', `here${i}@other.test`],
        ['free', `gone${i}@other.test`],
      ] as const
      // In turn the one first and the other, since what comes right after a write may wait for it.
      for (const [kind, email] of i % 2 === 0 ? emails : emails.toReversed()) {
        const started = performance.now()
        expect((await add(email, { password: null })).status).toBe(201)
        times[kind]?.push(performance.now() - started)
      }
    }
    const middle = (all: number[] = []) => all.sort((a, b) => a - b)[20] ?? 0
    const ratio = middle(times.taken) / middle(times.free)
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })

  test('an email of the account’s own domain is verified, and of its subdomains and others is not', async () => {
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
    await signIn(scene, { email: 'b@group.test', password: 'correct horse staple' })
  })

  test('the operator proves a pending email by its user or its domain, and takes none from another account', async () => {
    const one = await add('one@proven.test')
    const two = await add('two@proven.test')
    const verifiedOf = async (id: unknown) => (await call(staff, `/v2/users/${id}`)).body.verified
    expect(await statusOf('one@proven.test', 'correct horse staple')).toBe(400)
    await declare(scene, { accounts: [{ name: 'Group', users: [{ email: 'one@proven.test' }] }] })
    expect([await verifiedOf(one.body.id), await verifiedOf(two.body.id)]).toEqual([1, 0])
    await signIn(scene, { email: 'one@proven.test', password: 'correct horse staple' })

    const taken = await add('member@careful.test')
    await declare(scene, {
      accounts: [{ name: 'Group', domains: ['group.test', 'Proven.test', 'careful.test'] }],
    })
    expect(await verifiedOf(two.body.id)).toBe(1)
    // Its domain is the account's now, but the email is a user's of another account.
    expect(await verifiedOf(taken.body.id)).toBe(0)
    await signIn(scene, { email: 'member@careful.test', password })
    const stolen = declare(scene, {
      accounts: [{ name: 'Group', users: [{ email: 'member@careful.test' }] }],
    })
    await expect(stolen).rejects.toThrow('member@careful.test is a user of another account')
    const domain = declare(scene, { accounts: [{ name: 'Other', domains: ['proven.test'] }] })
    await expect(domain).rejects.toThrow('proven.test belongs to another account')
  })
})
