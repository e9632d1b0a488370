import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { password } from '../support/apps.ts'
import { createTestDatabase, engines } from '../support/databases.ts'
import {
  type Answer,
  authorizeQuery,
  member,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { type Break, startCommitProxy } from './commit-proxy.ts'

/**
 * A connection to Postgres that breaks at the commit: the server cannot know whether it was kept and
 * answers 503. What an app sees then when it sends the same once more.
 */

async function startBreakable(env: Record<string, string> = {}) {
  const database = await createTestDatabase('postgres')
  const proxy = await startCommitProxy(database.url)
  const server = await startOAuthServer({ database: { ...database, url: proxy.url }, env })
  /** Sends a request whose commit breaks; the answer says to come back. */
  const breaking = async (when: Break, send: () => Promise<Answer>) => {
    proxy.breakNext(when)
    const answer = await send()
    expect(proxy.hasBroken()).toBe(true)
    expect(refusal(answer)).toBe('503 temporarily_unavailable 503')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
  const stop = async () => {
    await server.stop()
    await proxy.close()
    await database.remove()
  }
  return { server, app: server.app('Scheduler'), proxy, breaking, stop }
}

describe.skipIf(!engines.includes('postgres'))('a commit whose answer is lost', () => {
  let fixture: Awaited<ReturnType<typeof startBreakable>>
  beforeAll(async () => {
    fixture = await startBreakable()
  })
  afterAll(() => fixture.stop())

  test('a refresh whose answer is lost can be repeated if it was not committed and is refused as a race if it was', async () => {
    const { server, app, breaking } = fixture
    const first = await server.grantOf(app)
    const send = () => server.refresh(app, first.refresh_token)
    await breaking('before the commit', send)
    const second = tokensOf(await send())

    const again = () => server.refresh(app, second.refresh_token)
    await breaking('after the commit', again)
    expect(refusal(await again())).toBe('400 invalid_grant 4735')
    // The grant lives on until its access tokens expire; then the user is asked once more.
    expect((await server.me(second.access_token)).status).toBe(200)
    expect((await server.me((await server.grantOf(app)).access_token)).status).toBe(200)
  })

  test('a refresh whose answer is lost returns the committed pair again within REFRESH_GRACE_SECONDS', async () => {
    const graceful = await startBreakable({ REFRESH_GRACE_SECONDS: '30' })
    onTestFinished(graceful.stop)
    const { server, app, breaking } = graceful
    const { refresh_token } = await server.grantOf(app)
    await breaking('after the commit', () => server.refresh(app, refresh_token))
    const pair = tokensOf(await server.refresh(app, refresh_token))
    expect((await server.me(pair.access_token)).status).toBe(200)
    tokensOf(await server.refresh(app, pair.refresh_token))
  })

  test('a code or device code whose answer is lost works again if it was not committed and is used up if it was', async () => {
    const { server, app, breaking } = fixture
    const send = async () => {
      const code = await server.codeOf(app)
      const { body } = await server.post('/oauth/devicecode', { client_id: app.clientId }, { app })
      expect((await server.decide(body.user_code)).decided).toBe('allowed')
      return [() => server.exchange(app, code), () => server.poll(app, body.device_code)] as const
    }
    for (const one of await send()) {
      await breaking('before the commit', one)
      tokensOf(await one())
    }
    const refusals: string[] = []
    for (const one of await send()) {
      await breaking('after the commit', one)
      refusals.push(refusal(await one()))
    }
    expect(refusals).toEqual(['400 invalid_grant 4734', '400 invalid_grant'])
  })

  test('an Allow and its code are one commit, so a person can press Allow again after a lost one', async () => {
    const { server, app, proxy } = fixture
    const browser = await signIn(server, { email: member, password })
    const page = await (await browser.get(`/oauth/authorize?${authorizeQuery(app)}`)).text()
    const press = () => browser.submit(page, '/oauth/consent', { decision: 'allow' })
    proxy.breakNext('before the commit')
    expect((await press()).status).toBe(503)
    const before = proxy.commits()
    const { headers } = await press()
    expect(proxy.commits() - before).toBe(1)
    const code = new URL(headers.get('location') ?? '').searchParams.get('code')
    tokensOf(await server.exchange(app, code ?? ''))
    expect((await press()).status).toBe(403)
  })

  test.each<Break>(['before the commit', 'after the commit'])(
    'a revocation that breaks off %s ends the token when it is repeated',
    async (when) => {
      const { server, app, breaking } = fixture
      const { access_token: token } = await server.grantOf(app)
      const send = () => server.post('/oauth/revoke', { token }, { app })
      await breaking(when, send)
      expect((await send()).body).toEqual({ status: 'success' })
      expect((await server.me(token)).body.code).toBe(4741)
    },
  )
})
