import { describe, expect, test } from 'vitest'
import { declare, generalApp, makeApp, password } from '../../support/apps.ts'
import { engines } from '../../support/databases.ts'
import { decideForCareful } from '../../support/hooked-apps.ts'
import { type App, authorizeQuery, refusal, startOAuthServer } from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'

const email = 'member@careful.test'
const profile = 'user:read:user'

describe.each(engines)('the extent of an approval on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const member = await signIn(server, { email, password })
  const decide = (app: { id: string }, decision: 'approved' | 'declined' = 'approved') =>
    decideForCareful(server, app, decision)
  /** An app that the account Careful has approved with one scope. */
  const approvedApp = async (name: string, scopes = [profile]) => {
    const app = await makeApp(server, name, scopes, { deviceFlow: true })
    await decide(app)
    return app
  }
  const opened = async (app: App, query: Record<string, string> = {}) =>
    (await member.get(`/oauth/authorize?${authorizeQuery(app, query)}`)).status
  const device = async (app: App) => {
    const { body } = await server.deviceCodeOf(app)
    return { code: body.device_code, allowed: server.approveDevice(String(body.user_code), email) }
  }
  const rename = ({ id }: { id: string }, name: string) =>
    server.ctx.db.write((trx) =>
      trx.updateTable('apps').set({ name }).where('id', '=', id).execute(),
    )

  test('an app that asks for more than was approved needs a new approval on every page', async () => {
    const app = await approvedApp('Grower')
    const code = await server.codeOf(app, { email })
    const more = { optionalScopes: ['meeting:delete:meeting'], deviceFlow: true }
    await declare(server, { apps: [generalApp('Grower', [profile, 'user:read:token'], more)] })
    expect(await opened(app)).toBe(403)
    expect(await opened(app, { scope: profile, optional_scope: 'meeting:delete:meeting' })).toBe(
      403,
    )
    await expect((await device(app)).allowed).rejects.toThrow()
    // The approved scopes still work.
    expect(await opened(app, { scope: profile })).toBe(200)
    expect(refusal(await server.exchange(app, code))).toBe('200 none')
    await decide(app)
    expect(await opened(app)).toBe(200)
    await (await device(app)).allowed
  })

  test('an app with another name than was approved gets no new tokens, and keeps refreshing old ones', async () => {
    const app = await approvedApp('Calendar')
    const { refresh_token } = await server.grantOf(app, { email })
    const code = await server.codeOf(app, { email })
    const { code: deviceCode, allowed } = await device(app)
    await allowed
    await rename(app, 'Payroll of Careful')
    expect(await opened(app)).toBe(403)
    expect(refusal(await server.exchange(app, code))).toBe('400 invalid_grant 4738')
    expect(refusal(await server.poll(app, deviceCode))).toBe('400 invalid_grant 4738')
    expect(refusal(await server.refresh(app, refresh_token))).toBe('200 none')
    await decide(app)
    expect(await opened(app)).toBe(200)
  })

  test('declining additional scopes of an approved app keeps the approval', async () => {
    const app = await approvedApp('Modest')
    const tokens = await server.grantOf(app, { email })
    await expect(decide(app, 'declined')).rejects.toThrow('This app is approved.')
    await declare(server, { apps: [generalApp('Modest', [profile, 'user:read:token'])] })
    const request = async () => {
      const page = await member.get(`/oauth/authorize?${authorizeQuery(app)}`)
      await member.submit(await page.text(), '/oauth/approval/request')
    }
    await request()
    expect(await opened(app, { scope: profile })).toBe(200)
    const declined = await decide(app, 'declined')
    expect(declined).toMatchObject({ state: 'approved', approved: { scopes: [profile] } })
    expect((await server.me(tokens.access_token)).status).toBe(200)
    expect(await opened(app)).toBe(403)
    await request()
    const { approved } = await decide(app)
    expect(approved).toMatchObject({ scopes: [profile, 'user:read:token'] })
  })

  test('scopes that an app migrates from classic to granular need no new approval', async () => {
    const app = await approvedApp('Veteran', ['user:read'])
    const granular = ['user:read:user', 'user:read:token']
    await declare(server, { apps: [generalApp('Veteran', granular)] })
    expect(await opened(app)).toBe(200)
    await declare(server, { apps: [generalApp('Veteran', [...granular, 'user:update:user'])] })
    expect(await opened(app)).toBe(403)
  })

  test('a declaration renews an approval only of an app that it declares', async () => {
    const app = await approvedApp('Declared')
    const wider = generalApp('Declared', [profile, 'user:read:token'])
    await declare(server, { apps: [wider] })
    const accounts = [{ name: 'Careful', approvedApps: ['Declared'] }]
    const { warnings } = await declare(server, { accounts })
    expect(warnings).toEqual([
      '"Declared" has changed since it was approved for "Careful". An admin of the account can approve it at /my/approvals.',
    ])
    expect(await opened(app)).toBe(403)
    expect((await declare(server, { accounts, apps: [wider] })).warnings).toEqual([])
    expect(await opened(app)).toBe(200)
  })
})
