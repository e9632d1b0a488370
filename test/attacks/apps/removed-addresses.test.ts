import { beforeEach, expect, test } from 'vitest'
import { appOf, callback, declare, testAccounts } from '../../support/apps.ts'
import { authorizeQuery, pkce, refusal, startOAuthServer } from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'

const password = 'correct horse battery'
const scheduler = testAccounts.apps[0]
const other = 'https://new.example/callback'

const server = await startOAuthServer()
const app = server.app('Scheduler')
const { id } = appOf(server.applied, 'Scheduler')
const owner = await signIn(server, { email: 'owner@acme.test', password })
const member = await signIn(server, { email: 'member@acme.test', password })

const setAddress = async (production: string) => {
  const path = `/console/apps/${id}/redirects`
  const html = await (await owner.get(path)).text()
  const form = { development: callback, production }
  expect((await owner.submit(html, path, form)).status).toBe(303)
}
const setS256 = (requireS256: boolean) =>
  declare(server, { apps: [{ name: 'Scheduler', account: scheduler.account, requireS256 }] })
const open = async () => {
  const page = await member.get(`/oauth/authorize?${authorizeQuery(app)}`)
  expect(page.status).toBe(200)
  return page.text()
}
const decide = async (html: string, decision: 'allow' | 'deny') => {
  const response = await member.submit(html, '/oauth/consent', { decision })
  return {
    status: response.status,
    location: response.headers.get('location'),
    html: await response.text(),
  }
}

beforeEach(() => setAddress(callback))

test('a consent decision does not redirect to an address that was removed while the page was open', async () => {
  const [first, second] = [await open(), await open()]
  await setAddress(other)
  for (const [html, decision] of [
    [first, 'allow'],
    [second, 'deny'],
  ] as const) {
    const response = await decide(html, decision)
    expect([response.status, response.location]).toEqual([400, null])
    expect(response.html).toContain('no longer has the address')
  }
  // No decision was recorded, so the page works once the address is registered again.
  await setAddress(callback)
  expect((await decide(first, 'allow')).location).toMatch(/[?]code=sac_/)
})

test('a code is refused while its redirect address is not registered', async () => {
  const code = await server.codeOf(app)
  await setAddress(other)
  expect(refusal(await server.exchange(app, code))).toBe('400 invalid_grant 4709')
  const moved = await server.exchange(app, code, { redirect_uri: other })
  expect(refusal(moved)).toBe('400 invalid_grant 4709')
  await setAddress(callback)
  expect((await server.exchange(app, code)).status).toBe(200)
})

test('an app that starts to require S256 gets no code or token for a pending request without it', async () => {
  const html = await open()
  const bare = await server.codeOf(app)
  const { verifier, challenge } = pkce()
  const proven = await server.codeOf(app, {
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  await setS256(true)
  const { searchParams } = new URL((await decide(html, 'allow')).location ?? '')
  expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null])
  expect(refusal(await server.exchange(app, bare))).toBe('400 invalid_grant 4734')
  const response = await server.exchange(app, proven, { code_verifier: verifier })
  expect(response.status).toBe(200)
  await setS256(false)
})
