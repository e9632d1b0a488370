import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accountOf, credentialsOf, declare, generalApp, password } from '../support/apps.ts'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { afterFile } from '../support/cleanup.ts'
import { type App, post, refresh, token, tokensOf } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { callWith } from '../support/platform.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'

const classic = ['user:read', 'meeting:read', 'meeting:write']
const granular = [
  ...['meeting:delete:meeting', 'meeting:read:list_meetings', 'meeting:read:meeting'],
  ...['meeting:update:meeting', 'meeting:write:meeting', 'user:read:token', 'user:read:user'],
]

test.skipIf(!hasChromium)(
  'an app lives from its first authorization in development to its removal and return',
  async () => {
    const server = await startTestServer()
    const open = await openBrowser()
    const receiver = await startReceiver()
    afterFile(receiver.close)
    const site = createServer((_request, response) => response.end('Back at the app.'))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    afterFile(async () => void site.close())
    const callback = `http://127.0.0.1:${(site.address() as AddressInfo).port}/callback`

    // The app exists since before granular scopes, so the operator declares it with classic ones.
    const applied = await declare(server)
    const { apps } = await declare(server, {
      apps: [
        generalApp('Timetable', classic, {
          visibility: 'development',
          redirectUris: [callback],
          deviceFlow: true,
          deauthorizationUrl: receiver.url('/timetable'),
        }),
      ],
    })
    const [timetable] = apps
    if (!timetable?.secretToken) throw new Error('The app was not made.')
    const { secretToken } = timetable
    receiver.trust('/timetable', secretToken)
    const development = credentialsOf({ ...applied, apps }, 'Timetable', 'development')
    const production = credentialsOf({ ...applied, apps }, 'Timetable')

    const browsers = new Map<string, Page>()
    /** Opens a page in the browser of a user, who is signed in. */
    const visit = async (email: string, path: string): Promise<Page> => {
      const known = browsers.get(email)
      if (known) {
        await known.goto(server.url + path)
        return known
      }
      const session = await signIn(server, { email, password })
      const { page } = await open(server.url + path, { cookie: session.cookie() })
      browsers.set(email, page)
      return page
    }
    const authorize = ({ clientId }: App) =>
      `/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callback,
        state: 'life',
      })}`
    const allow = async (page: Page, app: App) => {
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${callback}?**`)
      const { searchParams } = new URL(page.url())
      expect(searchParams.get('state')).toBe('life')
      const code = searchParams.get('code') ?? ''
      const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
      return tokensOf(await token(server, app, form))
    }
    const call = (accessToken: string, path: string, body?: object) =>
      callWith(server, accessToken, path, { method: body ? 'POST' : 'GET', body })
    const sorted = (scope: string) => scope.split(' ').sort()

    // In development it is for its own account.
    const own = await allow(await visit('member@acme.test', authorize(development)), development)
    expect(sorted(own.scope)).toEqual([...classic].sort())
    for (const app of [development, production]) {
      const stranger = await visit('member@careful.test', authorize(app))
      expect(await stranger.locator('main').innerText()).toContain('Timetable is not open to you')
    }

    // Its developer migrates it, the development tab first.
    const admin = 'admin@acme.test'
    const migration = (environment: string) =>
      `/console/apps/${timetable.id}/scopes/migration?tab=${environment}`
    const early = await visit(admin, migration('production'))
    expect(await early.locator('main').innerText()).toContain('Migrate the development tab first')
    for (const environment of ['development', 'production']) {
      const page = await visit(admin, migration(environment))
      const words = await page.locator('main').innerText()
      for (const scope of [...classic, ...granular]) expect(words).toContain(scope)
      await page.getByRole('button', { name: 'Migrate' }).click()
      await page.getByRole('status').waitFor()
    }
    // What was allowed before goes on with classic scopes.
    const renewed = tokensOf(await refresh(server, development, own.refresh_token))
    expect(sorted(renewed.scope)).toEqual([...classic].sort())
    expect((await call(renewed.access_token, '/v2/users/me/meetings')).status).toBe(200)

    // It becomes public.
    const overview = await visit(admin, `/console/apps/${timetable.id}`)
    await overview.getByRole('radio', { name: 'Public', exact: true }).check()
    await overview.getByRole('button', { name: 'Save settings' }).click()
    await overview.getByRole('status').waitFor()

    // An account that approves apps: its user asks, its admin approves.
    const guest = 'member@careful.test'
    const waiting = await visit(guest, authorize(production))
    await waiting.getByRole('button', { name: 'Request approval' }).click()
    const approvals = await visit('admin@careful.test', '/my/approvals')
    await approvals.getByRole('button', { name: 'Approve Timetable' }).click()
    await approvals.getByRole('button', { name: 'Withdraw Timetable' }).waitFor()

    // All four grants: a user's, a device's, and those of the account's other apps.
    const granted = await allow(await visit(guest, authorize(production)), production)
    expect(sorted(granted.scope)).toEqual(granular)
    const meeting = await call(granted.access_token, '/v2/users/me/meetings', { topic: 'First' })
    expect(meeting).toMatchObject({ status: 201, body: { topic: 'First' } })
    const device = (await post(server, '/oauth/devicecode', {}, { app: production })).body
    const entry = await visit(guest, '/oauth_device')
    await entry.getByLabel('Code').fill(String(device.user_code))
    await entry.getByRole('button', { name: 'Continue' }).click()
    await entry.getByRole('button', { name: 'Allow' }).click()
    await entry.getByRole('heading').first().waitFor()
    const onDevice = tokensOf(
      await token(server, production, {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: String(device.device_code),
      }),
    )
    const listed = await call(onDevice.access_token, '/v2/users/me/meetings')
    expect(listed.body).toMatchObject({ total_records: 1, meetings: [{ topic: 'First' }] })
    const register = async (name: string, type: string, scope?: string): Promise<App> => {
      const page = await visit(admin, `/console/new`)
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('radio', { name: type }).check()
      if (scope) await page.locator(`[name="pick ${scope}"][value=required]`).check()
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByRole('heading', { name: `${name} is registered` }).waitFor()
      const [clientId = '', clientSecret = ''] = await page
        .getByRole('region', { name: 'Production' })
        .locator('code')
        .allInnerTexts()
      return { clientId, clientSecret }
    }
    const automation = await register('Automation', 'Server-to-server', 'user:read:user:admin')
    const bot = await register('Reminder', 'Chatbot')
    const account = tokensOf(
      await token(server, automation, {
        grant_type: 'account_credentials',
        account_id: accountOf(applied, 'Acme').id,
      }),
    )
    expect((await call(account.access_token, '/v2/users/me')).body.email).toBe('owner@acme.test')
    const client = tokensOf(await token(server, bot, { grant_type: 'client_credentials' }))
    const message = { robot_jid: 'bot@acme', to_jid: 'm@acme', content: { head: { text: 'Hi' } } }
    expect((await call(client.access_token, '/v2/im/chat/messages', message)).status).toBe(201)

    // The user removes it: its tokens are dead at once, and it is told.
    const added = await visit(guest, '/my/apps')
    await added.getByRole('button', { name: 'Remove Timetable' }).click()
    await added.getByRole('heading', { name: 'Remove Timetable?' }).waitFor()
    await added.getByRole('button', { name: 'Remove Timetable' }).click()
    await added.getByRole('status').waitFor()
    for (const tokens of [granted, onDevice]) {
      const refused = await call(tokens.access_token, '/v2/users/me')
      expect([refused.status, refused.body.code]).toEqual([401, 4741])
      const again = await refresh(server, production, tokens.refresh_token)
      expect([again.status, again.body.code]).toEqual([400, 4741])
    }
    await until('the event', async () => receiver.deliveries('/timetable').length > 0)
    expect(receiver.validations('/timetable')).toHaveLength(1)
    const deliveries = receiver.deliveries('/timetable')
    expect(deliveries.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        event: 'app_deauthorized',
        payload: {
          client_id: production.clientId,
          account_id: accountOf(applied, 'Careful').id,
        },
      },
    ])

    // It may come back: the same user and the one of the first day get granular scopes.
    const back = await allow(await visit(guest, authorize(production)), production)
    expect(sorted(back.scope)).toEqual(granular)
    expect((await call(back.access_token, '/v2/users/me')).status).toBe(200)
    const first = await allow(await visit('member@acme.test', authorize(development)), development)
    expect(sorted(first.scope)).toEqual(granular)
  },
)
