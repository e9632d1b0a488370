import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { refused } from '../support/platform.ts'
import { type MeetingsServer, startMeetings } from './meetings-server.ts'

const own = '/v2/users/me/meetings'
const minute = 60_000
const day = 24 * 60 * minute

/** Creates a host with `count` meetings, ten of which are created in each second. */
async function hostWith(server: MeetingsServer, count: number) {
  const host = await server.newHost()
  for (let number = 1; number <= count; number++) {
    await host.make({ topic: `Meeting ${number}` })
    server.clock.advance(number % 10 === 0 ? 1000 : 0)
  }
  return host
}

describe.each(engines)('lists of meetings on %s', async (engine) => {
  const server = await startMeetings({ engine })

  test('pages neither overlap nor skip while meetings are added and deleted', async () => {
    const host = await hostWith(server, 25)
    const before = (await host.list('page_size=300')).meetings.map(({ id }) => id)
    const seen: number[] = []
    let pageToken = ''
    do {
      const page = await host.list(`page_size=10&next_page_token=${pageToken}`)
      seen.push(...page.meetings.map(({ id }) => id))
      pageToken = page.next_page_token
      await host.make()
      server.clock.advance(1)
      // The meeting that the page token was made from.
      await host.remove(`/v2/meetings/${seen.at(-1)}`)
    } while (pageToken !== '')
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => before.includes(id))).toEqual(before)
  })

  test('pages have numbers, which a page token continues, and meetings name the personal one', async () => {
    const host = await hostWith(server, 5)
    const pmi = String(await host.pmi())
    const ids = (await host.list()).meetings.map(({ id }) => id)
    const sizes = { page_size: 2, page_count: 3, total_records: 5 }
    const expectPage = async (query: string, page_number: number) => {
      const { meetings, next_page_token, ...page } = await host.list(`page_size=2&${query}`)
      expect(page).toEqual({ ...sizes, page_number })
      const first = (page_number - 1) * 2
      expect(meetings).toMatchObject(ids.slice(first, first + 2).map((id) => ({ id, pmi })))
      expect(next_page_token === '').toBe(page_number >= 3)
      return next_page_token
    }
    const second = await expectPage('page_number=1', 1)
    for (const query of ['', 'page_number=0', 'page_number=']) await expectPage(query, 1)
    const third = await expectPage(`next_page_token=${second}`, 2)
    expect(await expectPage('page_number=2', 2)).toBe(third)
    await expectPage(`page_number=1&next_page_token=${third}`, 3)
    for (const number of [3, 4, 1_000_000]) await expectPage(`page_number=${number}`, number)
    for (const number of ['-1', '1.5', 'x', '1000001', '1&page_number=2']) {
      expect(refused(await host.get(`${own}?page_number=${number}`))).toBe('400 300 page_number')
    }
    expect(await host.list('type=live')).toMatchObject({ page_count: 1, page_number: 1 })
  })

  test('an invalid page_size or type of a list is refused with 300, and an empty parameter counts as absent', async () => {
    const host = await hostWith(server, 1)
    for (const size of ['0', '301', '1.5', 'ten', '1&page_size=2']) {
      expect(refused(await host.get(`${own}?page_size=${size}`))).toBe('400 300 page_size')
    }
    for (const type of ['all', 'LIVE', 'scheduled&type=live']) {
      expect(refused(await host.get(`${own}?type=${type}`))).toBe('400 300 type')
    }
    const whole = await host.list()
    expect(await host.list('type=&page_size=&next_page_token=&page_number=')).toEqual(whole)
  })

  test('a forged or invalid page token and one of another list are refused with 300', async () => {
    const host = await hostWith(server, 3)
    const { next_page_token: good } = await host.list('page_size=1')
    const at = (token: string, more = '') =>
      host.get(`${own}?page_size=1&next_page_token=${encodeURIComponent(token)}${more}`)
    expect((await at(good)).status).toBe(200)
    const json = Buffer.from(JSON.stringify([1, 2])).toString('base64url')
    const swapped = (good[0] === 'A' ? 'B' : 'A') + good.slice(1)
    const forged = ['x', json, swapped, good.slice(0, -2), `${good}AAAA`, '\0']
    for (const token of [...forged, 'x'.repeat(5000)]) {
      expect(refused(await at(token))).toBe('400 300 next_page_token')
    }
    for (const type of ['live', 'upcoming', 'previous_meetings']) {
      expect(refused(await at(good, `&type=${type}`))).toBe('400 300 next_page_token')
    }
    const other = await server.as('second@acme.test')
    const foreign = await other.get(`${own}?next_page_token=${good}`)
    expect(refused(foreign)).toBe('400 300 next_page_token')
    const office = await server.office('Office', 'Acme')
    const seen = await office.get(`/v2/users/${host.id}/meetings?next_page_token=${good}`)
    expect([seen.status, seen.body.total_records]).toEqual([200, 3])
  })

  test('each type of list shows the right meetings as time passes', async () => {
    const { email } = await server.newHost()
    let host = await server.as(email)
    const now = () => server.clock.now()
    const utc = (ms: number) => new Date(ms).toISOString()
    const make = async (topic: string, body: object) => (await host.make({ topic, ...body })).id
    const beginning = Math.floor(now() / 1000) * 1000
    const soonOver = beginning + 120 * minute
    await make('over', { start_time: utc(beginning - day), duration: 60 })
    await make('soon', { start_time: utc(beginning + 60 * minute), duration: 60 })
    await make('series', {
      type: 8,
      start_time: utc(beginning - 2 * day),
      recurrence: { type: 1, end_times: 4 },
    })
    await make('instant', { type: 1 })
    await make('open', { type: 3 })
    const topics = async (type: string) => {
      const { meetings, total_records } = await host.list(`type=${type}`)
      expect(total_records).toBe(meetings.length)
      return meetings.map(({ topic }) => topic).sort()
    }
    const all = ['instant', 'open', 'over', 'series', 'soon']
    expect(await topics('scheduled')).toEqual(all)
    expect(await topics('live')).toEqual([])
    expect(await topics('upcoming')).toEqual(['series', 'soon'])
    expect(await topics('upcoming_meetings')).toEqual(['series', 'soon'])
    expect(await topics('previous_meetings')).toEqual(['over'])

    const { meetings } = await host.list('type=scheduled')
    const idOf = (topic: string) => meetings.find((one) => one.topic === topic)?.id ?? 0
    for (const topic of ['open', 'over']) await server.meetings.start(idOf(topic))
    expect(await topics('live')).toEqual(['open', 'over'])
    expect(await topics('upcoming')).toEqual(['open', 'over', 'series', 'soon'])
    expect(await topics('previous_meetings')).toEqual([])
    const { body } = await host.get(`/v2/meetings/${idOf('open')}`)
    expect(body.status).toBe('started')
    for (const topic of ['open', 'over']) await server.meetings.end(idOf(topic))
    expect(await topics('live')).toEqual([])
    expect(await topics('previous_meetings')).toEqual(['open', 'over'])

    // Access tokens last an hour.
    const later = async (time: number) => {
      server.clock.advance(time - now())
      host = await server.as(email)
    }
    await later(soonOver - 1)
    expect(await topics('upcoming')).toEqual(['series', 'soon'])
    await later(soonOver)
    expect(await topics('upcoming')).toEqual(['series'])
    expect(await topics('previous_meetings')).toEqual(['open', 'over', 'soon'])
    await later(beginning + day + 60 * minute)
    expect(await topics('upcoming')).toEqual([])
    expect(await topics('previous_meetings')).toEqual(['open', 'over', 'series', 'soon'])
    expect(await topics('scheduled')).toEqual(all)
  })

  test('an upcoming series starts at its next occurrence, and a scheduled one at its first', async () => {
    const host = await server.newHost()
    const first = Math.floor(server.clock.now() / 1000) * 1000 - 2 * day
    const at = (days: number) => `${new Date(first + days * day).toISOString().slice(0, 19)}Z`
    const series = { type: 8, start_time: at(0), recurrence: { type: 1, end_times: 5 } } as const
    const { id, occurrences = [] } = await host.make(series)
    const startOf = async (type: string) =>
      (await host.list(`type=${type}`)).meetings.map(({ start_time }) => start_time)
    // The third occurrence has just started and has not ended.
    expect(await startOf('upcoming')).toEqual([at(2)])
    expect(await startOf('scheduled')).toEqual([at(0)])
    await host.remove(`/v2/meetings/${id}?occurrence_id=${occurrences[2]?.occurrence_id}`)
    expect(await startOf('upcoming')).toEqual([at(3)])
    for (const one of [3, 4]) {
      await host.remove(`/v2/meetings/${id}?occurrence_id=${occurrences[one]?.occurrence_id}`)
    }
    expect(await startOf('upcoming')).toEqual([])
    expect(await startOf('previous_meetings')).toEqual([at(0)])
  })
})
