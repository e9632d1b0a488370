import { setTimeout as pause } from 'node:timers/promises'
import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { decideApproval } from '@skillpass/server/oauth/approvals'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { dismissUser } from '@skillpass/server/platform/user-changes'
import { describe, expect, test } from 'vitest'
import { appOf, declare, generalApp, makeApp, password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  type App,
  asking,
  type OAuthServer,
  refusal,
  startOAuthServer,
  startSecondNode,
} from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'

/** Everything that a user's authorization can be in the middle of. */
async function underWay(server: OAuthServer, app: App, email: string) {
  const { access_token, refresh_token } = await server.grantOf(app, { email })
  const code = await server.codeOf(app, { email })
  const { clientId: client_id } = app
  const asked = await server.post('/oauth/devicecode', { client_id }, { app })
  expect((await server.decide(asked.body.user_code, { email })).decided).toBe('allowed')
  return { access_token, refresh_token, code, deviceCode: asked.body.device_code }
}

/** What becomes of it. */
async function fates(server: OAuthServer, app: App, all: Awaited<ReturnType<typeof underWay>>) {
  const call = await server.me(all.access_token)
  return {
    api: `${call.status} ${call.body.code}`,
    refresh: refusal(await server.refresh(app, all.refresh_token)),
    code: refusal(await server.exchange(app, all.code)),
    device: refusal(await server.poll(app, all.deviceCode)),
  }
}

describe.each(engines)('what ends an authorization on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const { id: appId } = appOf(server.applied, 'Scheduler')
  const userOf = async (email: string) => {
    const user = await findUserByEmail(server.ctx.db.read, email)
    if (!user) throw new Error(`There is no user ${email}.`)
    return user
  }
  let users = 0
  /** A user of their own for a test that will remove them. */
  const newcomer = async () => {
    const email = `newcomer${++users}@testAccounts.test`
    const user = { email, password, role: 'member' } as const
    await declare(server, { accounts: [{ name: 'Acme', users: [user] }] })
    return email
  }

  test('a user who is removed from the account: 4735 wherever it comes', async () => {
    const email = await newcomer()
    const all = await underWay(server, scheduler, email)
    const { id } = await userOf(email)
    await server.ctx.db.write((trx) => dismissUser(server.ctx, trx, id))
    expect(await fates(server, scheduler, all)).toEqual({
      api: '401 4735',
      refresh: '400 invalid_grant 4735',
      code: '400 invalid_grant 4735',
      device: '400 invalid_grant 4735',
    })
  })

  test('a user who removes the app: 4741; codes are worth nothing', async () => {
    const email = 'admin@testAccounts.test'
    const all = await underWay(server, scheduler, email)
    const other = await server.grantOf(scheduler)
    expect(await removeAddedApp(server.ctx, await userOf(email), appId)).toBe(true)
    expect(await fates(server, scheduler, all)).toEqual({
      api: '401 4741',
      refresh: '400 invalid_grant 4741',
      code: '400 invalid_grant 4734',
      device: '400 access_denied',
    })
    expect((await server.me(other.access_token)).status).toBe(200)
    const again = await server.grantOf(scheduler, { email })
    expect((await server.me(again.access_token)).status).toBe(200)
  })

  test("an admin who withdraws the account's approval: 4738, for that account alone", async () => {
    const account = { name: 'Careful', approvedApps: ['Scheduler'] }
    await declare(server, { accounts: [account] })
    const all = await underWay(server, scheduler, 'member@careful.test')
    const other = await server.grantOf(scheduler)
    await decideApproval(server.ctx, await userOf('admin@careful.test'), appId, 'withdrawn')
    expect(await fates(server, scheduler, all)).toEqual({
      api: '401 4741',
      refresh: '400 invalid_grant 4738',
      code: '400 invalid_grant 4738',
      device: '400 invalid_grant 4738',
    })
    expect((await server.me(other.access_token)).status).toBe(200)
  })

  test('the platform disabling the app: 4717 wherever it comes, until it is enabled again', async () => {
    const app = server.app('Stranger')
    const all = await underWay(server, app, 'member@testAccounts.test')
    const known = { name: 'Stranger', account: 'Other', type: 'general' } as const
    const set = (disabled: boolean) => declare(server, { apps: [{ ...known, disabled }] })
    await set(true)
    const disabled = '400 unauthorized_client 4717'
    expect(await fates(server, app, all)).toEqual({
      api: '401 4717',
      refresh: disabled,
      code: disabled,
      device: disabled,
    })
    const { clientId: client_id } = app
    const asked = await server.post('/oauth/devicecode', { client_id }, { app })
    expect(refusal(asked)).toBe(disabled)
    await set(false)
    const { api, ...rest } = await fates(server, app, all)
    expect(api).toBe('200 undefined')
    expect(rest).toEqual({ refresh: '200 none', code: '200 none', device: '200 none' })
  })

  test('the app losing every scope that was allowed: codes give no empty token', async () => {
    const emptied = await makeApp(server, 'Emptied', ['user:read:user'], { deviceFlow: true })
    const all = await underWay(server, emptied, 'member@testAccounts.test')
    await declare(server, { apps: [generalApp('Emptied', ['user:update:user'])] })
    const { api, ...rest } = await fates(server, emptied, all)
    expect(api).toBe('200 undefined')
    const lost = '400 invalid_grant 4711'
    expect(rest).toEqual({ refresh: lost, code: lost, device: lost })
  })

  test("an admin's withdrawal while a user presses Allow: no token outlives it", async () => {
    const admin = await userOf('admin@careful.test')
    const session = await signIn(server, { email: 'member@careful.test', password })
    for (let round = 0; round < 40; round++) {
      await decideApproval(server.ctx, admin, appId, 'approved')
      const html = await (await session.get(`/oauth/authorize?${asking(scheduler)}`)).text()
      const [decided] = await Promise.all([
        session.submit(html, '/oauth/consent', { decision: 'allow' }),
        // At another moment each time, over the few milliseconds that the other takes.
        pause(round / 8).then(() => decideApproval(server.ctx, admin, appId, 'withdrawn')),
      ])
      const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code')
      if (code === null) continue
      const answer = await server.exchange(scheduler, code)
      expect(`${round} ${refusal(answer)}`).toBe(`${round} 400 invalid_grant 4738`)
    }
  })

  test('holds whatever comes at the same moment: no token outlives it', async () => {
    const email = 'owner@testAccounts.test'
    const owner = await userOf(email)
    const twin = await startSecondNode(server)
    for (let round = 0; round < 40; round++) {
      const all = await underWay(server, scheduler, email)
      const answers = await Promise.all([
        server.exchange(scheduler, all.code),
        twin.poll(scheduler, all.deviceCode),
        twin.refresh(scheduler, all.refresh_token),
        removeAddedApp(round % 2 ? server.ctx : twin.ctx, owner, appId),
        twin.exchange(scheduler, all.code),
      ])
      for (const answer of answers) {
        if (typeof answer === 'boolean' || answer.status !== 200) continue
        const call = await server.me(answer.body.access_token)
        expect(`${round} ${call.status}`).toBe(`${round} 401`)
      }
    }
    await twin.stop()
  })
})
