import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { addUser, declare, generalApp, makeApp, removeUser } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { decideForCareful } from '../support/hooked-apps.ts'
import {
  type App,
  authorizeQuery,
  member,
  type OAuthServer,
  refusal,
  startOAuthServer,
  startSecondNode,
} from '../support/oauth-server.ts'
import { roundsOf } from '../support/rounds.ts'
import { until } from '../support/waiting.ts'

/** Tokens, a code and a device code that a user has allowed the app. */
async function grantAll(server: OAuthServer, app: App, email: string) {
  const { access_token, refresh_token } = await server.grantOf(app, { email })
  const code = await server.codeOf(app, { email })
  const asked = await server.deviceCodeOf(app)
  await server.approveDevice(String(asked.body.user_code), email)
  return { access_token, refresh_token, code, deviceCode: asked.body.device_code }
}

/** The server's response to each of them. */
async function answersTo(server: OAuthServer, app: App, all: Awaited<ReturnType<typeof grantAll>>) {
  const call = await server.me(all.access_token)
  return {
    api: `${call.status} ${call.body.code}`,
    refresh: refusal(await server.refresh(app, all.refresh_token)),
    code: refusal(await server.exchange(app, all.code)),
    device: refusal(await server.poll(app, all.deviceCode)),
  }
}

describe.each(engines)('ended authorizations on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const appId = server.appId('Scheduler')

  test('tokens and codes of a removed user are refused with 4735', async () => {
    const email = 'newcomer@acme.test'
    await addUser(server, email)
    const all = await grantAll(server, scheduler, email)
    await removeUser(server, email)
    expect(await answersTo(server, scheduler, all)).toEqual({
      api: '401 4735',
      refresh: '400 invalid_grant 4735',
      code: '400 invalid_grant 4735',
      device: '400 invalid_grant 4735',
    })
  })

  test('tokens of an app that the user has removed are refused with 4741, and codes are invalid', async () => {
    const email = 'admin@acme.test'
    const all = await grantAll(server, scheduler, email)
    const other = await server.grantOf(scheduler)
    await server.removeApp(appId, email)
    expect(await answersTo(server, scheduler, all)).toEqual({
      api: '401 4741',
      refresh: '400 invalid_grant 4741',
      code: '400 invalid_grant 4734',
      device: '400 access_denied',
    })
    expect((await server.me(other.access_token)).status).toBe(200)
    const again = await server.grantOf(scheduler, { email })
    expect((await server.me(again.access_token)).status).toBe(200)
  })

  test('a withdrawn approval ends the tokens and codes of that account alone with 4738', async () => {
    const account = { name: 'Careful', approvedApps: ['Scheduler'] }
    await declare(server, { accounts: [account] })
    const all = await grantAll(server, scheduler, 'member@careful.test')
    const other = await server.grantOf(scheduler)
    await decideForCareful(server, { id: appId }, 'withdrawn')
    expect(await answersTo(server, scheduler, all)).toEqual({
      api: '401 4741',
      refresh: '400 invalid_grant 4738',
      code: '400 invalid_grant 4738',
      device: '400 invalid_grant 4738',
    })
    expect((await server.me(other.access_token)).status).toBe(200)
  })

  test('a disabled app is refused with 4717 everywhere, and works again once it is enabled', async () => {
    const app = server.app('Stranger')
    const all = await grantAll(server, app, 'member@acme.test')
    const known = { name: 'Stranger', account: 'Other', type: 'general' } as const
    const set = (disabled: boolean) => declare(server, { apps: [{ ...known, disabled }] })
    await set(true)
    const disabled = '400 unauthorized_client 4717'
    expect(await answersTo(server, app, all)).toEqual({
      api: '401 4717',
      refresh: disabled,
      code: disabled,
      device: disabled,
    })
    expect(refusal(await server.deviceCodeOf(app))).toBe(disabled)
    await set(false)
    const { api, ...rest } = await answersTo(server, app, all)
    expect(api).toBe('200 undefined')
    expect(rest).toEqual({ refresh: '200 none', code: '200 none', device: '200 none' })
  })

  test('an app that has lost every granted scope gets no token', async () => {
    const emptied = await makeApp(server, 'Emptied', ['user:read:user'], { deviceFlow: true })
    const all = await grantAll(server, emptied, 'member@acme.test')
    await declare(server, { apps: [generalApp('Emptied', ['user:update:user'])] })
    const { api, ...rest } = await answersTo(server, emptied, all)
    expect(api).toBe('200 undefined')
    const lost = '400 invalid_grant 4711'
    expect(rest).toEqual({ refresh: lost, code: lost, device: lost })
  })

  test('a member gets no token of an app that was made account-level, and an admin does', async () => {
    const app = await makeApp(server, 'Raised', ['user:read:user'], { deviceFlow: true })
    const known = { name: 'Raised', account: 'Acme', type: 'general' } as const
    const set = (level: 'user' | 'account') => declare(server, { apps: [{ ...known, level }] })
    const [ofMember, ofAdmin, later] = [
      await grantAll(server, app, 'member@acme.test'),
      await grantAll(server, app, 'admin@acme.test'),
      await grantAll(server, app, 'member@acme.test'),
    ]
    await set('account')
    const refused = '400 invalid_grant'
    const { api, ...tokens } = await answersTo(server, app, ofMember)
    expect(tokens).toEqual({ refresh: refused, code: refused, device: refused })
    expect(api).toBe('200 undefined')
    const works = { api: '200 undefined', refresh: '200 none', code: '200 none' }
    expect(await answersTo(server, app, ofAdmin)).toEqual({ ...works, device: '200 none' })
    await set('user')
    expect(await answersTo(server, app, later)).toEqual({ ...works, device: '200 none' })
  })

  test('an admin who became a member gets no token with admin scopes for a code', async () => {
    const app = server.app('Directory')
    const email = 'demoted@acme.test'
    await addUser(server, email, { role: 'admin' })
    const code = await server.codeOf(app, { email })
    await addUser(server, email, { role: 'member' })
    expect(refusal(await server.exchange(app, code))).toBe('400 invalid_grant')
  })

  test('a device gets no token once its app has left the device flow', async () => {
    const app = await makeApp(server, 'Grounded', ['user:read:user'], { deviceFlow: true })
    const known = { name: 'Grounded', account: 'Acme', type: 'general' } as const
    const { deviceCode } = await grantAll(server, app, 'member@acme.test')
    const { user_code: waiting } = (await server.deviceCodeOf(app)).body
    await declare(server, { apps: [{ ...known, deviceFlow: false }] })
    expect(refusal(await server.poll(app, deviceCode))).toBe('400 unauthorized_client')
    await expect(server.approveDevice(String(waiting), member)).rejects.toThrow('No device waits')
  })

  test('no token survives a concurrent removal of its app', async () => {
    const email = 'owner@acme.test'
    const secondNode = await startSecondNode(server)
    for (let round = 0; round < roundsOf(6); round++) {
      const all = await grantAll(server, scheduler, email)
      const answers = await Promise.all([
        server.exchange(scheduler, all.code),
        secondNode.poll(scheduler, all.deviceCode),
        secondNode.refresh(scheduler, all.refresh_token),
        (round % 2 ? server : secondNode).removeApp(appId, email),
        secondNode.exchange(scheduler, all.code),
      ])
      for (const answer of answers) {
        if (answer?.status !== 200) continue
        const call = await server.me(answer.body.access_token)
        expect(`${round} ${call.status}`).toBe(`${round} 401`)
      }
    }
  })
})

describe.skipIf(!engines.includes('postgres'))('a withdrawal of approval that takes long', () => {
  test('no token survives a withdrawal of approval that started before its exchange', async () => {
    const server = await startOAuthServer({ engine: 'postgres' })
    const scheduler = server.app('Scheduler')
    const appId = server.appId('Scheduler')
    const careful = 'member@careful.test'
    await decideForCareful(server, { id: appId }, 'approved')
    const living = await server.grantOf(scheduler, { email: careful })
    const code = await server.codeOf(scheduler, { email: careful })

    // Delays the withdrawal, as many grants would.
    const blocker = new pg.Client({ connectionString: server.database.url })
    await blocker.connect()
    await blocker.query('begin')
    const account = server.accountId('Careful')
    await blocker.query('select id from grants where account_id = $1 for update', [account])
    const withdrawal = decideForCareful(server, { id: appId }, 'withdrawn')
    await untilWaiting(blocker)
    const exchanged = server.exchange(scheduler, code)
    const late = await server.visit(`?${authorizeQuery(scheduler)}`, careful).catch(() => undefined)
    await blocker.query('commit')
    await blocker.end()
    await withdrawal

    expect((await server.me(living.access_token)).status).toBe(401)
    expect(refusal(await exchanged)).toBe('400 invalid_grant 4738')
    if (late?.code) {
      expect(refusal(await server.exchange(scheduler, late.code))).toBe('400 invalid_grant 4738')
    }
  })
})

/** Resolves once a transaction of this database waits for another. */
const untilWaiting = (client: pg.Client): Promise<void> =>
  until('a transaction that waits', async () => {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rowCount !== 0
  })
