import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountOf, credentialsOf, declare, password, serverApp } from '../../support/apps.ts'
import {
  type Answer,
  accountToken,
  authorizeQuery,
  exchange,
  me,
  poll,
  post,
  read,
  refresh,
  token,
  tokensOf,
} from '../../support/oauth-client.ts'
import { openSession, signIn } from '../../support/people.ts'
import { callWith } from '../../support/platform.ts'
import { plant, secretsIn, startLogging } from './logging-server.ts'
import { stored } from './stored.ts'

test('OAuth secrets never appear in logs, metrics or errors, and are stored as hashes', async () => {
  const server = await startLogging({ LOG_LEVEL: 'trace', REFRESH_GRACE_SECONDS: '30' })
  const applied = await declare(server)
  const app = credentialsOf(applied, 'Scheduler')
  const reporter = credentialsOf(applied, 'Reporter')
  const issued: string[] = []
  const keep = (response: Answer): Answer => {
    for (const name of ['access_token', 'refresh_token', 'device_code']) {
      const value = response.body[name]
      if (typeof value === 'string') issued.push(value)
    }
    return response
  }
  const issue = async (response: Promise<Answer>) => tokensOf(keep(await response))
  for (const { development, production } of applied.apps) {
    issued.push(development.clientSecret ?? '', production.clientSecret ?? '')
  }

  // Issue every secret and use it where it is valid.
  const session = await signIn(server, { email: 'member@acme.test', password })
  issued.push(session.cookie().split('=')[1] ?? '')
  const allow = { decision: 'allow' }
  const request = `/oauth/authorize?${authorizeQuery(app, { state: plant() })}`
  const codes: string[] = []
  for (let i = 0; i < 3; i++) {
    const { headers } = await session.fill(request, '/oauth/consent', allow)
    codes.push(new URL(headers.get('location') ?? '').searchParams.get('code') ?? '')
  }
  issued.push(...codes)
  const [used = '', lost = '', failed = ''] = codes
  const first = await issue(exchange(server, app, used))
  const renew = () => refresh(server, app, first.refresh_token)
  const second = await issue(renew())
  expect(await issue(renew())).toEqual(second)
  const { id: accountId } = accountOf(applied, 'Acme')
  await issue(accountToken(server, reporter, accountId))
  const device = keep(await post(server, '/oauth/devicecode', {}, { app }))
  const userCode = String(device.body.user_code)
  const page = `/oauth/device/complete/${userCode}`
  expect((await session.fill(page, '/oauth/device/decision', allow)).ok).toBe(true)
  await issue(poll(server, app, device.body.device_code))
  for (const { access_token } of [first, second]) {
    expect((await me(server, access_token)).status).toBe(200)
    await post(server, '/oauth/introspect', { token: access_token }, { app })
  }

  // Do the same with secrets of apps registered through the API and of meetings.
  const scopes = ['marketplace:write:app', 'user:read:token', 'meeting:write:meeting']
  const admin = scopes.map((scope) => `${scope}:admin`)
  const office = credentialsOf(
    await declare(server, { apps: [serverApp('Office', admin)] }),
    'Office',
  )
  const { access_token } = await issue(accountToken(server, office, accountId))
  const call = async (path: string, body?: object) => {
    const sent = body && { method: 'POST', body }
    const response = await callWith(server, access_token, `/v2${path}`, sent)
    expect(`${path}: ${response.status}`).toMatch(/: 20[01]$/)
    return response
  }
  const registered = await call('/marketplace/apps', { name: 'Made', type: 'general' })
  const madePath = `/marketplace/apps/${registered.body.id}`
  const environment = 'production'
  const responses = [
    registered,
    await call(`${madePath}/rotate_client_secret`, { environment }),
    await call(`${madePath}/rotate_secret_token`, {}),
    await call('/users/me/token?type=zak'),
    await call('/users/me/meetings', { topic: 'Secret' }),
  ]
  const shown = responses.flatMap(({ text }) => text.match(/\b(scs|swt|smt)_\w+/g) ?? [])
  expect(shown.map((secret) => secret.slice(0, 3)).sort()).toEqual(
    ['scs', 'scs', 'scs', 'smt', 'smt', 'swt', 'swt'].sort(),
  )
  issued.push(...shown.filter((secret) => !secret.startsWith('swt_')))
  const tokensForSigning = shown.filter((secret) => secret.startsWith('swt_'))

  // Use each secret where it is not valid, and texts that were never issued.
  const planted = Array.from({ length: 20 }, plant)
  const next = () => planted.pop() ?? 'too few secrets'
  const loose = [...planted]
  const send = (path: string, init?: RequestInit) => read(server.http(path, init))
  const wrong = { ...app, clientSecret: next() }
  await exchange(server, wrong, lost)
  await exchange(server, app, used, { code_verifier: next() })
  await refresh(server, app, first.refresh_token, { scope: next() })
  await refresh(server, app, next())
  await token(server, app, { grant_type: next() })
  await token(server, app, { [next()]: '1' })
  await post(server, '/oauth/token', { client_id: app.clientId, client_secret: app.clientSecret })
  await post(
    server,
    '/oauth/token',
    { client_id: next(), client_secret: next() },
    { place: 'form' },
  )
  await post(server, '/oauth/revoke', { token: second.access_token }, { app: reporter })
  await send(`/oauth/token?code=${lost}&client_secret=${app.clientSecret}`)
  await send(`/oauth/authorize?client_id=${app.clientId}&state=${next()}`)
  await send(`/oauth/${lost}`)
  await send(`/oauth/device/complete/${userCode}?code=${lost}`)
  await send(`/v2/users/me?access_token=${second.access_token}`)
  await send(`/v2/users/${second.access_token}`)
  await send('/v2/users/me', { headers: { Authorization: `Bearer ${next()}` } })
  await send('/v2/users/me', { headers: { Authorization: `Basic ${second.access_token}` } })
  await send('/v2/nothing', { headers: { 'X-Request-Id': `<${second.access_token}>` } })
  await send('/oauth/token', { headers: { Cookie: session.cookie(), Referer: `http://a/${lost}` } })
  const stranger = openSession(server)
  const html = await (await stranger.get('/sign-in')).text()
  const mistyped = next()
  const email = 'member@acme.test'
  await stranger.submit(html, '/sign-in', { email, password: mistyped })

  // A failure during an exchange logs the error but not the parameters.
  const run = (statement: string) => server.ctx.db.write((trx) => sql.raw(statement).execute(trx))
  await run('delete from refresh_tokens where key <> (select min(key) from refresh_tokens)')
  await run('create unique index one_row on refresh_tokens ((1))')
  const broken = await exchange(server, app, failed)
  expect(broken.status).toBe(500)
  await run('drop index one_row')

  const log = server.log()
  const metrics = await server.ctx.metrics.registry.metrics()
  const refusals = server.refused.join('\n')
  const disk = await stored(server.database)
  expect(log.match(/"msg":"request"/g)?.length).toBeGreaterThan(30)
  expect(log).toContain('request failed')
  // Search without the prefix too, in case a log truncates it.
  const hidden = [...issued, ...issued.map((secret) => secret.slice(-20)), password]
  expect(issued.length).toBeGreaterThan(30)
  expect(secretsIn({ log, metrics, refusals, disk }, hidden)).toEqual([])
  expect(secretsIn({ log, metrics, disk }, loose)).toEqual([])
  expect(secretsIn({ refusals }, [mistyped, wrong.clientSecret])).toEqual([])
  // The database stores a pending user code, because the page shows it again.
  expect(secretsIn({ log, metrics }, [userCode, userCode.replace('-', '')])).toEqual([])
  // Secret tokens sign webhooks, so the database does not store them as hashes.
  const signing = [...applied.apps.map(({ secretToken = '' }) => secretToken), ...tokensForSigning]
  expect(secretsIn({ log, metrics, refusals }, signing)).toEqual([])
})
