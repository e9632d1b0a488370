import { expect, test } from 'vitest'
import { startPages } from '../support/pages.ts'
import type { Session } from '../support/people.ts'
import { textOf } from './responses.ts'

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

const pages = await startPages()
const { server } = pages
const member = await pages.signIn('member@acme.test')
const complete = (code: string) => `/oauth/device/complete/${code}`
const poll = (device_code: string, app = 'Scheduler') =>
  pages.token(app, { grant_type, device_code })
const decide = async (session: Session, code: string, form: Record<string, string | string[]>) => {
  const html = await (await session.get(complete(code))).text()
  return session.submit(html, '/oauth/device/decision', form)
}

test('the device page shows the app, address, time and scopes of the request, and warns of phishing', async () => {
  const { user_code } = await pages.deviceCode('Scheduler')
  const page = await member.get(complete(user_code))
  const html = await page.clone().text()
  const words = await textOf(page)
  for (const part of [
    'Allow Scheduler on your device? Made by Acme',
    `Does your device show this code? ${user_code}`,
    'Requested from 127.0.0.1',
    `${new Date(server.clock.now()).getUTCFullYear()}`,
    'If someone sent you this code or a link to it, choose Deny.',
    'You are signed in as member@acme.test',
    'See your profile user:read:user',
    'Create meetings for you meeting:write:meeting',
  ]) {
    expect(words).toContain(part)
  }
  expect(html).not.toContain(' checked')
})

test('opening the device page approves nothing', async () => {
  const { device_code, user_code } = await pages.deviceCode('Scheduler')
  await member.get(complete(user_code))
  await member.get(`${complete(user_code)}?decision=allow`)
  expect(await poll(device_code)).toMatchObject({ error: 'authorization_pending' })
})

test('the device page accepts a code in any case and width, with any dash and invisible characters', async () => {
  const { user_code } = await pages.deviceCode('Scheduler')
  const fullWidth = [...user_code].map((one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0))
  for (const typed of [
    user_code.toLowerCase(),
    ` ${user_code.replace('-', ' ')} `,
    user_code.replace('-', '\u2013'),
    user_code.replace('-', '\u2212'),
    fullWidth.join(''),
    `\u200b${user_code}\ufeff\u00ad`,
  ]) {
    const html = await (await member.get('/oauth_device')).text()
    const response = await member.submit(html, '/oauth_device', { code: typed })
    expect(response.status).toBe(200)
    expect(await textOf(response)).toContain(user_code)
  }
})

test('the device page confirms the connection once the device has polled', async () => {
  const { device_code, user_code } = await pages.deviceCode('Scheduler')
  const allowed = await decide(member, user_code, { decision: 'allow' })
  expect(await textOf(allowed)).not.toContain('connected')
  expect(await textOf(await member.get(complete(user_code)))).not.toContain('connected')
  expect(await poll(device_code)).toHaveProperty('access_token')
  const words = await textOf(await member.get(complete(user_code)))
  expect(words).toMatch(/^Your device is connected/)
  const other = await pages.signIn('owner@acme.test')
  expect((await other.get(complete(user_code))).status).toBe(400)
})

test('an allowed device is among the added apps immediately, and removing it denies the next poll', async () => {
  const session = await pages.signIn('admin@acme.test')
  const { device_code, user_code } = await pages.deviceCode('Stranger')
  await decide(session, user_code, { decision: 'allow' })
  const html = await (await session.get('/my/apps')).text()
  expect(html).toContain('You allowed it on a device, which has not connected yet.')
  const removed = await session.submit(html, '/my/apps/remove')
  expect(removed.headers.get('location')).toBe('/my/apps?done=removed')
  expect(await textOf(await session.get('/my/apps'))).not.toContain('Stranger')
  expect(await poll(device_code, 'Stranger')).toMatchObject({ error: 'access_denied' })
  expect((await session.get(complete(user_code))).status).toBe(400)

  const next = await pages.deviceCode('Stranger')
  await decide(session, next.user_code, { decision: 'allow' })
  expect(await poll(next.device_code, 'Stranger')).toHaveProperty('access_token')
  const words = await textOf(await session.get('/my/apps'))
  expect(words).toContain('Stranger Made by Other, allowed on')
  expect(words).not.toContain('waiting')
})

test('unknown, expired and used codes get the same page', async () => {
  const session = await pages.signIn('owner@acme.test')
  const expired = await pages.deviceCode('Scheduler')
  server.clock.advance(901_000)
  const used = await pages.deviceCode('Scheduler')
  await decide(member, used.user_code, { decision: 'allow' })
  const shown: string[] = []
  for (const code of ['BCDF-GHJK', expired.user_code, used.user_code, 'zzzz', '']) {
    const html = await (await session.get('/oauth_device')).text()
    const response = await session.submit(html, '/oauth_device', { code })
    shown.push(`${response.status} ${await textOf(response)}`)
  }
  expect(shown).toEqual(shown.map(() => shown[0]))
  expect(shown[0]).toMatch(/^400 .*This code is wrong or has expired\./)
  server.clock.advance(901_000)
})

test('links with wrong codes do not count as guesses in the form, and open the form', async () => {
  const session = await pages.signIn('owner@acme.test')
  const { user_code } = await pages.deviceCode('Scheduler')
  const open = (code: string) => session.get(complete(code), { 'sec-fetch-site': 'cross-site' })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await open('BCDF-GHJK')).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  const html = await (await open(user_code)).text()
  expect(html).toContain(`value="${user_code}"`)
  const confirmed = await session.submit(html, '/oauth_device', { code: user_code })
  expect(await textOf(confirmed)).toContain('Allow Scheduler on your device?')
  const enter = async (code: string) => {
    const entry = await (await session.get('/oauth_device')).text()
    return (await session.submit(entry, '/oauth_device', { code })).status
  }
  for (let i = 0; i < 5; i++) expect(await enter('BCDF-GHJK')).toBe(400)
  const entry = await (await session.get('/oauth_device')).text()
  const refused = await session.submit(entry, '/oauth_device', { code: user_code })
  expect(refused.status).toBe(429)
  expect(await textOf(refused)).toContain(
    'You have entered too many wrong codes. Try again in 15 minutes.',
  )
  expect((await open(user_code)).status).toBe(429)
  server.clock.advance(901_000)
})

test('a device for an app without approval leads to a request for it, and gets no token', async () => {
  const careful = await pages.signIn('member@careful.test')
  const { device_code, user_code } = await pages.deviceCode('Scheduler')
  const response = await careful.get(complete(user_code))
  expect(response.status).toBe(403)
  const html = await response.text()
  const asked = await careful.submit(html, '/oauth/approval/request')
  expect(asked.headers.get('location')).toBe(complete(user_code))
  expect(await textOf(await careful.get(complete(user_code)))).toContain(
    'Your request is with the admins',
  )
  expect(await poll(device_code)).toMatchObject({ error: 'authorization_pending' })
})
