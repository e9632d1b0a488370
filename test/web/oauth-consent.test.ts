import { expect, test } from 'vitest'
import { callback, makeApp } from '../support/apps.ts'
import { authorizeQuery } from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { locationOf, textOf } from './responses.ts'

const optional = 'meeting:write:meeting'

const pages = await startPages()
const { server } = pages
const member = await pages.signIn('member@acme.test')
const path = pages.authorizePath('Scheduler', { state: 's' })
const open = async (session = member) => (await session.get(path)).text()
const send = async (changes: Record<string, string | string[]>, headers = {}) =>
  member.submit(await open(), '/oauth/consent', { decision: 'allow', ...changes }, headers)
const scopesOf = async (code: string) => {
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const { scope = '' } = await pages.token('Scheduler', form)
  return scope.split(' ').sort()
}

test('the consent page names the app, its scopes, the account and the redirect target', async () => {
  const response = await member.get(path)
  const html = await response.clone().text()
  const words = await textOf(response)
  for (const part of [
    'Allow Scheduler to use your account? Made by Acme',
    'You are signed in as member@acme.test Use another account',
    'See your profile user:read:user',
    'See your meetings meeting:read:list_meetings',
    'Create meetings for you meeting:write:meeting',
    'you will continue to 127.0.0.1:8090',
  ]) {
    expect(words).toContain(part)
  }
  expect(html).toMatch(/<input type="checkbox" [^>]*value="meeting:write:meeting"/)
  expect(html).not.toContain(' checked')
  expect(html).toMatch(/<title>Allow an app · Skillpass<\/title>/)
  expect(html).toContain(`href="/sign-in?return_to=${encodeURIComponent(path)}"`)
})

test('an app without required scopes needs one checked scope, and the page can be submitted again', async () => {
  const optional_scope = 'user:read:user meeting:write:meeting'
  const app = await makeApp(server, 'Modest', [], { optionalScopes: optional_scope.split(' ') })
  const html = await (await member.get(`/oauth/authorize?${authorizeQuery(app)}`)).text()
  const nothing = await member.submit(html, '/oauth/consent', { decision: 'allow' })
  expect(nothing.status).toBe(400)
  expect(await textOf(nothing)).toContain('Go back and tick what the app may do')
  const allowed = { decision: 'allow', scope: 'user:read:user' }
  const done = await member.submit(html, '/oauth/consent', allowed)
  expect(locationOf(done)).toContain('?code=')
})

test('scopes that a tampered form adds are ignored', async () => {
  const scope = ['user:read:list_users:admin', 'user:update:user', 'x', optional]
  const { searchParams } = new URL(locationOf(await send({ scope })))
  expect(await scopesOf(searchParams.get('code') ?? '')).toEqual(
    [optional, 'meeting:read:list_meetings', 'user:read:user'].sort(),
  )
})

test('the consent page accepts only one of twenty concurrent decisions', async () => {
  const html = await open()
  const decide = () => member.submit(html, '/oauth/consent', { decision: 'allow' })
  const all = await Promise.all(Array.from({ length: 20 }, decide))
  expect(all.filter(({ status }) => status === 303)).toHaveLength(1)
  const again = await decide()
  expect([again.status, again.headers.get('location')]).toEqual([403, null])
  expect(await textOf(again)).toContain('has expired or was used before')
})

test.each([
  ['no token', { csrf: '' }, {}, 403],
  ['another request', { request: 'sco_x' }, {}, 403],
  ['a foreign origin', {}, { origin: 'https://evil.test' }, 403],
  ['no decision', { decision: '' }, {}, 400],
  ['two decisions', { decision: ['allow', 'deny'] }, {}, 400],
])('a consent form with %s is refused', async (_, changes, headers, status) => {
  const response = await send(changes, headers)
  expect([response.status, response.headers.get('location')]).toEqual([status, null])
  expect(response.headers.get('content-type')).toContain('text/html')
})

test('a consent form expires after a quarter of an hour', async () => {
  const html = await open()
  server.clock.advance(15 * 60_000 + 1000)
  expect((await member.submit(html, '/oauth/consent', { decision: 'allow' })).status).toBe(403)
})

test('consent redirects to the private-use scheme of a native app', async () => {
  const redirect_uri = 'com.example.pocket:/callback'
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const query = { redirect_uri, ...challenge }
  const response = await member.get(pages.authorizePath('Pocket', query))
  const policy = response.headers.get('content-security-policy')
  expect(policy).toContain("form-action 'self' com.example.pocket:;")
  expect(await textOf(response.clone())).toContain('the app on this device for com.example.pocket:')
  const html = await response.text()
  const allowed = await member.submit(html, '/oauth/consent', { decision: 'allow' })
  expect(locationOf(allowed)).toMatch(/^com\.example\.pocket:\/callback\?code=sac_\w+$/)
})
