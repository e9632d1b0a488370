import { expect, test } from 'vitest'
import { addUser, makeApp, removeUser } from '../support/apps.ts'
import { deleteMeeting, makeMeeting, meetingToken } from '../support/meetings.ts'
import { grantOf } from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { hiddenFields, type Session } from '../support/people.ts'
import { splitAtBars } from '../support/words.ts'
import { locationOf, textOf } from './responses.ts'

const host = 'member@acme.test'
const hour = 3_600_000

const pages = await startPages()
const { server } = pages
const own = await pages.signIn(host)
const meetingAt = (more?: object) => makeMeeting(server, host, more)

/** Reads the state on the host's page of a meeting. */
async function stateOf(id: number): Promise<'started' | 'ended' | 'waiting'> {
  const text = await textOf(await own.get(`/meetings/${id}`))
  if (text.startsWith('Ended')) return 'ended'
  return text.startsWith('In progress') ? 'started' : 'waiting'
}

const passcodePage = /Enter the passcode Passcode For meeting/

test('the page of a meeting shows topic, time, host and agenda to a guest with the passcode', async () => {
  const meeting = await meetingAt({ agenda: 'First the numbers.' })
  const page = await pages.stranger().get(`/meetings/${meeting.id}?pwd=a1B2c3`)
  expect(page.status).toBe(200)
  const words = await textOf(page)
  expect(words).toContain('Not started Weekly review')
  expect(words).toMatch(/Monday,? 23 November 2026.* 10:30 \(Europe\/Berlin\), 45 minutes/)
  expect(words).not.toContain('09:30')
  expect(words).toContain('Host member Tester')
  expect(words).toContain('First the numbers.')
  expect(words).toContain('No app has access to this meeting right now.')
  expect(words).not.toMatch(/Start meeting|End meeting|a1B2c3|Passcode/)
})

test('the page of a meeting shows that it has no fixed time, or when its repetition ends', async () => {
  const open = await meetingAt({ type: 3 })
  const now = server.clock.now()
  const start_time = new Date(now - 3 * 24 * hour).toISOString()
  const recurrence = { type: 1, repeat_interval: 5, end_times: 3 }
  const series = await meetingAt({ type: 8, start_time, recurrence })
  const session = pages.stranger()
  expect(await textOf(await session.get(`/meetings/${open.id}?pwd=a1B2c3`))).toContain(
    'No fixed time',
  )
  const dayAfter = (days: number, style: 'full' | 'medium', timeZone: string) => {
    const date = new Date(now + days * 24 * hour)
    return date.toLocaleDateString('en-GB', { dateStyle: style, timeZone })
  }
  const text = await textOf(await session.get(`/meetings/${series.id}?pwd=a1B2c3`))
  const [next, last] = [
    dayAfter(2, 'full', 'Europe/Berlin'),
    dayAfter(7, 'medium', 'Europe/Berlin'),
  ]
  expect(text).toMatch(new RegExp(`Next time ${next} at .* Repeats until ${last}`))
})

test('join_url, start_url and personal_meeting_url open pages that join and start a meeting', async () => {
  const scopes = ['meeting:write:meeting', 'meeting:read:list_meetings', 'user:read:user']
  const app = await makeApp(server, 'Maker', [...scopes, 'meeting:delete:meeting'])
  const { access_token } = await grantOf(server, app)
  const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ topic: 'Made by an app', password: '@_*-12' })
  const made = await server.http('/v2/users/me/meetings', { method: 'POST', headers, body })
  const { id, join_url, start_url } = await made.json()
  const local = (url: string) => url.replace(server.ctx.config.authUrl, '')
  const joined = await pages.stranger().get(local(join_url))
  expect(await textOf(joined)).toContain('Not started Made by an app')
  const session = pages.stranger()
  const html = await (await session.get(local(start_url))).text()
  await session.submit(html, `/meetings/${id}/start`)
  expect(await stateOf(id)).toBe('started')
  const { personal_meeting_url } = await (await server.http('/v2/users/me', { headers })).json()
  const personal = await pages.stranger().get(local(personal_meeting_url))
  expect(await textOf(personal)).toContain('Personal Meeting Room')
  await server.http(`/v2/meetings/${id}`, { method: 'DELETE', headers })
  expect(await textOf(await pages.stranger().get(local(join_url)))).toMatch(passcodePage)
})

test('the host and the admins of the account need no passcode, unlike everyone else', async () => {
  const { id } = await meetingAt()
  const seen = async (session: Session) => (await session.get(`/meetings/${id}`)).text()
  for (const email of [host, 'admin@acme.test', 'owner@acme.test']) {
    expect(await seen(await pages.signIn(email))).toContain('Weekly review')
  }
  for (const email of ['member@other.test', 'admin@careful.test']) {
    const text = await seen(await pages.signIn(email))
    expect(text).toMatch(/Enter the passcode/)
    expect(text).not.toContain('Weekly review')
  }
  expect(await seen(pages.stranger())).not.toContain('Weekly review')
  const colleague = await makeMeeting(server, 'owner@acme.test')
  const page = await (await pages.signIn(host)).get(`/meetings/${colleague.id}`)
  expect(await textOf(page)).toMatch(passcodePage)
})

test('a meeting token opens the page as its user until it expires', async () => {
  const { id } = await meetingAt()
  const session = pages.stranger()
  const see = async (token: string) =>
    textOf(await session.get(`/meetings/${id}?${new URLSearchParams({ token })}`))
  const token = await meetingToken(server, host, 'token')
  expect(await see(token)).toContain('Weekly review')
  expect(await see(token)).not.toContain('Start meeting')
  expect(await see(await meetingToken(server, 'admin@acme.test', 'token'))).toContain(
    'Weekly review',
  )
  for (const wrong of [
    await meetingToken(server, 'member@other.test', 'token'),
    await meetingToken(server, host, 'zak'),
    `${token}x`,
    'smt_',
    '\0',
  ]) {
    expect(await see(wrong)).toMatch(passcodePage)
  }
  server.clock.advance(2 * hour)
  expect(await see(token)).toMatch(passcodePage)
})

test('a guest cannot distinguish a used meeting number from an unused one', async () => {
  const { id } = await meetingAt()
  const removed = await meetingAt()
  await deleteMeeting(server, host, removed.id)
  for (const query of splitAtBars('¦?pwd=wrong¦?token=wrong¦?pwd=¦?pwd=%00¦?pwd=a&pwd=a1B2c3')) {
    const responses = new Set<string>()
    for (const number of [id, removed.id, 99_999_999_999]) {
      const response = await pages.stranger().get(`/meetings/${number}${query}`)
      const text = (await response.text())
        .replaceAll(/csrf" value="[^"]*"/g, '')
        .replaceAll(String(number), 'N')
        .replaceAll(/\d{3} \d{4} \d{4}/g, 'N')
      responses.add(`${response.status} ${text}`)
    }
    expect(responses.size).toBe(1)
    server.clock.advance(300_000)
  }
})

test.each(['none', '123', '0123456789', '99999999999999', '1e10', '%00', '%F0%9F%A7%A9', '-1'])(
  '/meetings/%s, a malformed number, returns 404',
  async (number) => {
    for (const path of [`/meetings/${number}`, `/meetings/${number}/start`]) {
      const response = await pages.stranger().get(path)
      expect(response.status).toBe(404)
      expect(await textOf(response)).toContain('ten or eleven digits')
    }
  },
)

test('the form accepts the passcode with blanks around it', async () => {
  const { id } = await meetingAt()
  const session = pages.stranger()
  const html = await (await session.get(`/meetings/${id}`)).text()
  const action = `/meetings/${id}`
  const wrong = await session.submit(html, action, { passcode: 'wr&ng' })
  expect([wrong.status, locationOf(wrong)]).toEqual([303, `${action}?pwd=wr%26ng`])
  const refused = await session.get(locationOf(wrong))
  expect(refused.status).toBe(403)
  expect(await textOf(refused)).toContain('This passcode does not match the meeting number.')
  const right = await session.submit(html, action, { passcode: ' a1B2c3 ' })
  expect(await textOf(await session.get(locationOf(right)))).toContain('Weekly review')
})

test('a passcode that a browser loads as an image or frame is neither accepted nor counted', async () => {
  server.clock.advance(300_000)
  const { id } = await meetingAt()
  const load = (pwd: string, dest: string) =>
    fetch(`${server.url}/meetings/${id}?pwd=${pwd}`, { headers: { 'Sec-Fetch-Dest': dest } })
  for (let i = 0; i < 12; i++) {
    const dest = i % 2 === 0 ? 'image' : 'iframe'
    expect((await load(`wrong${i}`, dest)).status).toBe(200)
  }
  expect(await textOf(await load('a1B2c3', 'image'))).toMatch(passcodePage)
  expect(await textOf(await load('a1B2c3', 'document'))).toContain('Weekly review')
  for (let i = 0; i < 10; i++) expect((await load(`wrong${i}`, 'document')).status).toBe(403)
  expect((await load('a1B2c3', 'document')).status).toBe(429)
  expect((await load('a1B2c3', 'image')).status).toBe(200)
})

test('an address is limited to ten wrong passcodes in five minutes across all meetings', async () => {
  server.clock.advance(300_000)
  const [one, other] = [await meetingAt(), await meetingAt()]
  const guess = (id: number, pwd: string) => pages.stranger().get(`/meetings/${id}?pwd=${pwd}`)
  for (let i = 0; i < 10; i++) {
    const { id } = i % 2 === 0 ? one : other
    expect((await guess(id, `wrong${i}`)).status).toBe(403)
    expect((await guess(id, 'a1B2c3')).status).toBe(i < 9 ? 200 : 429)
  }
  const blocked = await guess(99_999_999_999, 'a1B2c3')
  expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '300'])
  expect(await textOf(blocked)).toContain('Too many wrong passcodes.')
  expect((await guess(one.id, '')).status).toBe(200)
  const session = await pages.signIn(host)
  expect((await session.get(`/meetings/${one.id}?pwd=wrong`)).status).toBe(200)
  server.clock.advance(299_999)
  expect((await guess(one.id, 'a1B2c3')).status).toBe(429)
  server.clock.advance(1)
  expect((await guess(one.id, 'a1B2c3')).status).toBe(200)
})

const pathOf = (id: number, act: 'start' | 'end') => `/meetings/${id}/${act}`

test('the host starts and ends a meeting with buttons, and opening a page changes nothing', async () => {
  const { id } = await meetingAt()
  const start = await own.get(pathOf(id, 'start'))
  expect(await textOf(start.clone())).toMatch(
    /Not started .* Passcode a1B2c3 Invitation http\S+ Start meeting/,
  )
  expect(await stateOf(id)).toBe('waiting')
  const started = await own.submit(await start.text(), pathOf(id, 'start'))
  expect([started.status, locationOf(started)]).toEqual([303, `/meetings/${id}`])
  expect(await stateOf(id)).toBe('started')
  const live = await own.get(`/meetings/${id}`)
  const html = await live.clone().text()
  expect(await textOf(live)).toMatch(/^In progress .* End meeting/)
  const ended = await own.submit(html, pathOf(id, 'end'))
  expect([ended.status, locationOf(ended)]).toEqual([303, `/meetings/${id}`])
  expect(await stateOf(id)).toBe('ended')
  const over = await own.get(`/meetings/${id}`)
  expect(await textOf(over.clone())).toMatch(/^Ended .* Start meeting/)
  // A repeated submit changes nothing.
  expect((await own.submit(html, pathOf(id, 'end'))).status).toBe(303)
  await own.submit(await over.text(), pathOf(id, 'start'))
  expect(await stateOf(id)).toBe('started')
})

test('a zak of the host starts and ends a meeting without sign-in until it expires', async () => {
  const { id } = await meetingAt()
  const zak = await meetingToken(server, host, 'zak')
  const session = pages.stranger()
  const path = `${pathOf(id, 'start')}?zak=${zak}`
  const html = await (await session.get(path)).text()
  expect(await stateOf(id)).toBe('waiting')
  const started = await session.submit(html, pathOf(id, 'start'))
  expect([started.status, locationOf(started)]).toEqual([303, path])
  expect(await stateOf(id)).toBe('started')
  const live = await (await session.get(path)).text()
  await session.submit(live, pathOf(id, 'end'))
  expect(await stateOf(id)).toBe('ended')
  server.clock.advance(2 * hour)
  expect((await session.submit(html, pathOf(id, 'start'))).status).toBe(403)
  const late = await session.get(path)
  expect([late.status, locationOf(late)]).toEqual([
    303,
    `/sign-in?return_to=${encodeURIComponent(pathOf(id, 'start'))}`,
  ])
  expect(await stateOf(id)).toBe('ended')
})

test('admins, guests and other tokens cannot start a meeting', async () => {
  const { id } = await meetingAt()
  const page = await (await own.get(pathOf(id, 'start'))).text()
  const secrets = [
    await meetingToken(server, 'admin@acme.test', 'zak'),
    await meetingToken(server, host, 'token'),
    'smt_x',
  ]
  for (const email of ['admin@acme.test', 'member@other.test']) {
    const session = await pages.signIn(email)
    expect(await textOf(await session.get(`/meetings/${id}?pwd=a1B2c3`))).not.toMatch(
      /Start meeting|Passcode/,
    )
    for (const number of [id, 99_999_999_999]) {
      expect((await session.get(pathOf(number, 'start'))).status).toBe(403)
    }
    expect((await session.submit(page, pathOf(id, 'start'))).status).toBe(403)
  }
  const stranger = pages.stranger()
  for (const zak of secrets) {
    expect((await stranger.get(`${pathOf(id, 'start')}?zak=${zak}`)).status).toBe(303)
    const fields = { ...hiddenFields(page, pathOf(id, 'start')), zak }
    expect((await own.post(pathOf(id, 'start'), { ...fields, csrf: '' })).status).toBe(403)
    expect((await stranger.post(pathOf(id, 'start'), fields)).status).toBe(403)
  }
  expect(await stateOf(id)).toBe('waiting')
})

test('a meeting of a removed host is not shown, not even with the passcode', async () => {
  const email = 'leaver@acme.test'
  await addUser(server, email)
  const { id } = await makeMeeting(server, email)
  const path = `/meetings/${id}?pwd=a1B2c3`
  expect((await pages.stranger().get(path)).status).toBe(200)
  await removeUser(server, email)
  expect((await pages.stranger().get(path)).status).toBe(403)
  const owner = await pages.signIn('owner@acme.test')
  expect(await textOf(await owner.get(`/meetings/${id}`))).toMatch(passcodePage)
})
