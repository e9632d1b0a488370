import { beforeEach, describe, expect, test } from 'vitest'
import { appOf, callback, declare, testAccounts } from '../../support/apps.ts'
import { pkce, refusal, startOAuthServer } from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'

const password = 'correct horse battery'
const scheduler = testAccounts.apps[0]
const other = 'https://new.example/callback'

describe('what an app changes while people decide,', async () => {
  const scene = await startOAuthServer()
  const app = scene.app('Scheduler')
  const { id } = appOf(scene.applied, 'Scheduler')
  const owner = await signIn(scene, { email: 'owner@testAccounts.test', password })
  const member = await signIn(scene, { email: 'member@testAccounts.test', password })

  /** As the owner does it in the console. */
  const setAddress = async (production: string) => {
    const path = `/console/apps/${id}/redirects`
    const html = await (await owner.get(path)).text()
    const form = { development: callback, production }
    expect((await owner.submit(html, path, form)).status).toBe(303)
  }
  const setS256 = (requireS256: boolean) =>
    declare(scene, { apps: [{ name: 'Scheduler', account: scheduler.account, requireS256 }] })
  const open = async () => {
    const query = { response_type: 'code', client_id: app.clientId, redirect_uri: callback }
    const page = await member.get(`/oauth/authorize?${new URLSearchParams(query)}`)
    expect(page.status).toBe(200)
    return page.text()
  }
  const decide = async (html: string, decision: 'allow' | 'deny') => {
    const answer = await member.submit(html, '/oauth/consent', { decision })
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      html: await answer.text(),
    }
  }

  beforeEach(() => setAddress(callback))

  test('an address that is removed while the page is open gets nobody back, and no code', async () => {
    const [first, second] = [await open(), await open()]
    await setAddress(other)
    for (const [html, decision] of [
      [first, 'allow'],
      [second, 'deny'],
    ] as const) {
      const answer = await decide(html, decision)
      expect([answer.status, answer.location]).toEqual([400, null])
      expect(answer.html).toContain('no longer has the address')
    }
    // Nothing was decided: where it comes back, the page is still good.
    await setAddress(callback)
    expect((await decide(first, 'allow')).location).toMatch(/[?]code=sac_/)
  })

  test('a code for an address that is removed is good for nothing while it is', async () => {
    const code = await scene.codeOf(app)
    await setAddress(other)
    expect(refusal(await scene.exchange(app, code))).toBe('400 invalid_grant 4709')
    const moved = await scene.exchange(app, code, { redirect_uri: other })
    expect(refusal(moved)).toBe('400 invalid_grant 4709')
    await setAddress(callback)
    expect((await scene.exchange(app, code)).status).toBe(200)
  })

  test('an app that asks for S256 meanwhile gets no code, and no tokens, without it', async () => {
    const html = await open()
    const bare = await scene.codeOf(app)
    const { verifier, challenge } = pkce()
    const proven = await scene.codeOf(app, {
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    await setS256(true)
    const { searchParams } = new URL((await decide(html, 'allow')).location ?? '')
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null])
    expect(refusal(await scene.exchange(app, bare))).toBe('400 invalid_grant 4734')
    const answer = await scene.exchange(app, proven, { code_verifier: verifier })
    expect(answer.status).toBe(200)
    await setS256(false)
  })
})
