import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { refused } from '../support/platform.ts'
import { words } from '../support/words.ts'
import { meetingPath, startMeetings } from './meetings-server.ts'

const start_time = '2030-01-01T10:00:00Z'
const day = (number: number) => `2030-01-0${number}T10:00:00Z`
const idOf = (start: string) => String(Date.parse(start))
const path = (id: number, occurrenceId: string) =>
  `${meetingPath(id)}?occurrence_id=${occurrenceId}`
const recurrence = { type: 1, end_times: 3 } as const
const series = { type: 8, topic: 'Course', agenda: 'Terms', start_time, recurrence } as const

describe.each(engines)('occurrences on %s', async (engine) => {
  const server = await startMeetings({ engine })
  const host = await server.as('member@acme.test')
  const read = async (address: string) => {
    const { status, body } = await host.get(address)
    expect(status).toBe(200)
    const { start_url, ...rest } = body
    return rest
  }
  const change = async (address: string, body: object) =>
    expect(refused(await host.patch(address, body))).toBe('204 ')
  const datesOf = async (id: number) => {
    const { occurrences = [] } = await host.client.meetings.get({ params: { meetingId: `${id}` } })
    return occurrences.map((one) => `${one.start_time.slice(5, 16)}/${one.duration}`)
  }

  test('a change with occurrence_id changes that occurrence alone, and only its own fields', async () => {
    const { start_url, ...made } = await host.make(series)
    const [first, second, third] = made.occurrences ?? []
    const settings = { host_video: true, audio: 'voip' }
    const changes = { topic: 'Exam', agenda: 'Rooms', start_time: '2030-01-02T18:30:00' }
    const ofSeries = { type: 2, password: 'x1y2z3', schedule_for: 'x', recurrence: { type: 3 } }
    const one = path(made.id, idOf(day(2)))
    const body = { ...changes, ...ofSeries, duration: '25', timezone: 'Europe/Berlin', settings }
    await change(one, body)
    const moved = { ...second, start_time: '2030-01-02T17:30:00Z', duration: 25 }
    const after = { ...made, occurrences: [first, moved, third] }
    expect(await read(meetingPath(made.id))).toEqual(after)
    expect(await read(path(made.id, idOf(day(1))))).toEqual(after)
    expect(await read(one)).toEqual({
      ...after,
      ...{ topic: 'Exam', agenda: 'Rooms', start_time: moved.start_time, duration: 25 },
      settings: { ...made.settings, ...settings },
    })
    await change(meetingPath(made.id), { settings: { audio: 'telephony', watermark: true } })
    const { settings: own } = await read(one)
    expect(own).toMatchObject({ ...settings, watermark: true })
    await change(one, { agenda: '', start_time: day(2) })
    expect(await read(one)).toMatchObject({ agenda: '', topic: 'Exam', start_time: day(2) })
  })

  test('concurrent changes of two occurrences are both stored', async () => {
    const { id } = await host.make(series)
    const days = [1, 2, 3]
    await Promise.all(days.map((one) => change(path(id, idOf(day(one))), { duration: 10 + one })))
    expect(await datesOf(id)).toEqual(words('01-01T10:00/11 01-02T10:00/12 01-03T10:00/13'))
  })

  test('lists, order and the end of a series follow a moved occurrence, and its id stays', async () => {
    const { id } = await host.make(series)
    const starts = async (type: string) => {
      const { meetings } = await host.list(`type=${type}&page_size=300`)
      return meetings.find((one) => one.id === id)?.start_time
    }
    await change(path(id, idOf(day(1))), { start_time: day(8) })
    expect(await datesOf(id)).toEqual(words('01-02T10:00/60 01-03T10:00/60 01-08T10:00/60'))
    for (const type of ['scheduled', 'upcoming']) expect(await starts(type)).toBe(day(2))
    await change(path(id, idOf(day(3))), { start_time: '2029-12-31T09:00:00Z' })
    for (const type of ['scheduled', 'upcoming']) {
      expect(await starts(type)).toBe('2029-12-31T09:00:00Z')
    }
    for (const start of [day(3), day(2)]) {
      expect((await host.remove(path(id, idOf(start)))).status).toBe(204)
    }
    expect(await datesOf(id)).toEqual(['01-08T10:00/60'])
    expect(await starts('upcoming')).toBe(day(8))
    expect((await host.remove(path(id, idOf(day(1))))).status).toBe(204)
    expect(refused(await host.get(meetingPath(id)))).toBe('404 3001')
  })

  test('an id that is no occurrence of the meeting is refused with 404, and changes nothing', async () => {
    const { id } = await host.make(series)
    await host.remove(path(id, idOf(day(2))))
    await change(path(id, idOf(day(3))), { start_time: day(4) })
    const single = await host.make({ start_time })
    const open = await host.make({ ...series, type: 3 })
    const before = await read(meetingPath(id))
    const none = [...[2, 4, 5].map((number) => idOf(day(number))), '', 'x', '-1', '1e3', '%00']
    const wrong = [...none, `0${idOf(day(1))}`, day(1), '9'.repeat(30)].map((one) => path(id, one))
    for (const other of [single.id, open.id, await host.pmi()]) {
      wrong.push(path(other, idOf(start_time)))
    }
    for (const address of wrong) {
      const answers = [await host.get(address), await host.remove(address)]
      answers.push(await host.patch(address, { topic: 'Other' }))
      for (const answer of answers) expect(refused(answer)).toBe('404 3001')
    }
    const twice = `${path(id, '1')}&occurrence_id=2`
    for (const answer of [
      await host.get(twice),
      await host.patch(twice, {}),
      await host.remove(twice),
    ]) {
      expect(refused(answer)).toBe('400 300 occurrence_id')
    }
    expect(await read(meetingPath(id))).toEqual(before)
  })

  const weekly = { type: 2, weekly_days: '3,5', end_date_time: '2030-01-10T10:00:00Z' }
  const zoned = { timezone: 'Europe/Berlin', start_time: '2029-12-31T11:00:00' }
  const same: [words: string, body: object][] = [
    ['the rule', { recurrence: weekly }],
    ['a start on a date without occurrence', { recurrence: weekly, ...zoned }],
    ['the first date as the start', { recurrence: weekly, start_time }],
    ['the shown start', { start_time: day(3) }],
    ['days in another order', { recurrence: { ...weekly, weekly_days: ' 5, 3 ' } }],
    ['repeated days', { recurrence: { ...weekly, weekly_days: '5,3,3' } }],
    ['text numbers and defaults', { recurrence: { ...weekly, type: '2', repeat_interval: '1' } }],
    ['the type', { type: '8', recurrence: weekly }],
    ['another end form', { recurrence: { ...weekly, end_date_time: '2030-01-10T11:00:00+01:00' } }],
    ['a number of occurrences instead of an end', { recurrence: { type: 2, end_times: 4 } }],
    ['another case of the zone', { timezone: 'europe/BERLIN', recurrence: weekly }],
    ['another name of the zone', { timezone: 'CET', recurrence: weekly }],
    ['other fields', { topic: 'Other', settings: { watermark: true }, agenda: '', duration: 90 }],
    ['no field', {}],
  ]
  test.each(same)('%s sent again changes no occurrence', async (_, body) => {
    const { id } = await host.make({ ...series, ...zoned, recurrence: weekly })
    // Tuesdays and Thursdays: 1, 3, 8 and 10 January.
    await host.remove(path(id, idOf(day(1))))
    await change(path(id, idOf(day(8))), { start_time: day(9), agenda: 'Own' })
    await change(path(id, idOf('2030-01-10T10:00:00Z')), { duration: 15 })
    await change(meetingPath(id), body)
    const length = 'duration' in body ? 90 : 60
    const left = [`01-03T10:00/${length}`, `01-09T10:00/${length}`, '01-10T10:00/15']
    expect(await datesOf(id)).toEqual(left)
    expect(await read(path(id, idOf(day(8))))).toMatchObject({ agenda: 'Own' })
    expect(refused(await host.get(path(id, idOf(day(1)))))).toBe('404 3001')
  })

  test('the whole body of a read can be sent back and changes nothing', async () => {
    for (const body of [series, { ...series, type: 3 }, { start_time }, { type: 1 }]) {
      const { id } = await host.make(body)
      if (body === series) {
        await host.remove(path(id, idOf(day(1))))
        await change(path(id, idOf(day(2))), { start_time: day(7), agenda: 'Own' })
      }
      const before = await read(meetingPath(id))
      await change(meetingPath(id), before)
      expect(await read(meetingPath(id))).toEqual(before)
      await change(meetingPath(id), { ...before, start_url: 'x', topic: 'Next' })
      expect(await read(meetingPath(id))).toEqual({ ...before, topic: 'Next' })
    }
  })

  test('what was read can be sent back to a series whose cancelled date has no row', async () => {
    for (const sent of [{ start_time: day(2), topic: 'Next' }, 'all'] as const) {
      const { id } = await host.make(series)
      await host.remove(path(id, idOf(day(1))))
      // The first release deleted the row.
      await server.ctx.db.write((trx) =>
        trx.deleteFrom('meeting_occurrences').where('cancelled_at', 'is not', null).execute(),
      )
      await change(meetingPath(id), sent === 'all' ? await read(meetingPath(id)) : sent)
      expect(await datesOf(id)).toEqual(words('01-02T10:00/60 01-03T10:00/60'))
    }
  })

  test('what was read can be sent back to a series that starts in a skipped hour', async () => {
    const zone = { timezone: 'Europe/Berlin', start_time: '2026-03-29T02:30:00' }
    const { id } = await host.make({ ...series, ...zone })
    await host.remove(path(id, idOf('2026-03-30T00:30:00Z')))
    const before = await read(meetingPath(id))
    await change(meetingPath(id), before)
    expect(await read(meetingPath(id))).toEqual(before)
    expect(await datesOf(id)).toEqual(words('03-29T01:30/60 03-31T00:30/60'))
  })

  const berlin = { timezone: 'Europe/Berlin', start_time: '2027-03-28T02:30:00' }
  const beirut = { timezone: 'Asia/Beirut', start_time: '2027-03-28T00:00:00' }
  // Nuuk skips the hour before midnight, so that the first date is the next day.
  const nuuk = { timezone: 'America/Nuuk', start_time: '2027-03-27T23:30:00' }
  test.each([
    [berlin, '03-28T01:30 03-29T00:30 03-31T00:30 04-01T00:30'],
    [beirut, '03-27T22:00 03-28T21:00 03-30T21:00 03-31T21:00'],
    [nuuk, '03-28T01:30 03-29T00:30 03-31T00:30 04-01T00:30'],
  ])(
    'a series that starts in a skipped hour keeps its clock and its cancelled date: %o',
    async (zone, starts) => {
      const dates = words(starts).map((start) => `${start}/60`)
      const same = [{}, { timezone: zone.timezone.toLowerCase() }, { start_time: zone.start_time }]
      for (const changes of [...same, 'all'] as const) {
        for (const end_times of [5, 6]) {
          const { id, occurrences = [] } = await host.make({
            ...series,
            ...zone,
            recurrence: { type: 1, end_times: 5 },
          })
          await host.remove(path(id, occurrences[2]?.occurrence_id ?? ''))
          const body = changes === 'all' ? await read(meetingPath(id)) : changes
          await change(meetingPath(id), { ...body, recurrence: { type: 1, end_times } })
          expect((await datesOf(id)).slice(0, 4)).toEqual(dates)
          expect(await datesOf(id)).toHaveLength(end_times - 1)
        }
      }
    },
  )

  test('a start at a skipped clock moves a series whose first date remains', async () => {
    const { id } = await host.make({ ...series, ...berlin, start_time: '2027-03-28T03:30:00' })
    await change(meetingPath(id), { start_time: berlin.start_time })
    expect(await datesOf(id)).toEqual(words('03-28T01:30/60 03-29T00:30/60 03-30T00:30/60'))
  })

  test('dates that a change keeps stay as they are; others are added or removed', async () => {
    const { id } = await host.make(series)
    await host.remove(path(id, idOf(day(2))))
    await change(path(id, idOf(day(3))), { start_time: '2030-01-03T18:30:00Z', agenda: 'Own' })
    const third = '01-03T18:30'
    const changes: [body: object, starts: string][] = [
      [{ recurrence: { end_times: 5 } }, `01-01T10:00 ${third} 01-04T10:00 01-05T10:00`],
      [{ recurrence: { repeat_interval: 2, end_times: 3 } }, `01-01T10:00 ${third} 01-05T10:00`],
      [{ recurrence: { repeat_interval: 1 } }, `01-01T10:00 01-02T10:00 ${third}`],
      [{ start_time: day(3) }, `${third} 01-04T10:00 01-05T10:00`],
      [{ timezone: 'Asia/Tokyo', recurrence: { end_times: 2 } }, `${third} 01-04T10:00`],
    ]
    for (const [body, starts] of changes) {
      await change(meetingPath(id), body)
      expect(await datesOf(id)).toEqual(words(starts).map((start) => `${start}/60`))
      expect(await read(path(id, idOf(day(3))))).toMatchObject({ agenda: 'Own' })
    }
    await change(meetingPath(id), { timezone: 'Asia/Tokyo', start_time: '2030-01-03T10:00:00' })
    expect(await datesOf(id)).toEqual(words('01-03T01:00/60 01-04T01:00/60'))
  })

  test('the shown start keeps the first date of a series that is extended', async () => {
    const { id } = await host.make(series)
    await host.remove(path(id, idOf(day(1))))
    await change(meetingPath(id), {
      start_time: day(2),
      recurrence: { end_times: 4 },
      duration: 30,
    })
    expect(await datesOf(id)).toEqual(words('01-02T10:00/30 01-03T10:00/30 01-04T10:00/30'))
  })

  test('a change that leaves only deleted dates is refused', async () => {
    const { id } = await host.make(series)
    await host.remove(path(id, idOf(day(1))))
    const answer = await host.patch(meetingPath(id), { recurrence: { end_times: 1 } })
    expect(refused(answer)).toBe('400 300 recurrence')
    expect(await datesOf(id)).toHaveLength(2)
  })

  const daily = { type: 1, repeat_interval: 2, end_times: 3 }
  const until = { type: 2, weekly_days: '3,5', end_date_time: '2030-01-10T10:00:00Z' }
  const dailyUntil = { type: 1, repeat_interval: 7, end_date_time: until.end_date_time }
  const monthly = { type: 3, monthly_week: 1, monthly_week_day: 3, end_times: 2 }
  const monthlyDay = { type: 3, monthly_day: 15, end_times: 2 }
  const partial: [former: object, sent: object, after: object, starts: string][] = [
    [daily, { repeat_interval: 3 }, { ...daily, repeat_interval: 3 }, '01-01 01-04 01-07'],
    [daily, { end_times: 2, type: null }, { ...daily, end_times: 2 }, '01-01 01-03'],
    [
      daily,
      { end_date_time: '2030-01-04T00:00:00' },
      { type: 1, repeat_interval: 2, end_date_time: '2030-01-04T00:00:00Z' },
      '01-01 01-03',
    ],
    [until, { end_times: '1' }, { type: 2, weekly_days: '3,5', end_times: 1 }, '01-01'],
    [until, { weekly_days: 4 }, { ...until, weekly_days: '4' }, '01-02 01-09'],
    [until, { type: 1, repeat_interval: 7 }, dailyUntil, '01-01 01-08'],
    [daily, { type: 3 }, { type: 3, monthly_day: 1, end_times: 3 }, '01-01 02-01 03-01'],
    [
      { type: 2, repeat_interval: 12, end_times: 3 },
      { type: 3, end_times: 2 },
      { type: 3, monthly_day: 1, end_times: 2 },
      '01-01 02-01',
    ],
    [monthly, { monthly_week: 2 }, { ...monthly, monthly_week: 2 }, '01-08 02-12'],
    [monthly, { monthly_day: 15 }, monthlyDay, '01-15 02-15'],
    [monthlyDay, { monthly_week: 1, monthly_week_day: 3 }, monthly, '02-05 03-05'],
  ]
  test.each(partial)('of the rule %o, a change with %o keeps the rest', async (rule, ...rest) => {
    const [sent, after, starts] = rest
    const { id } = await host.make({ ...series, recurrence: rule })
    await change(meetingPath(id), { recurrence: sent })
    expect((await read(meetingPath(id))).recurrence).toEqual({ repeat_interval: 1, ...after })
    expect(await datesOf(id)).toEqual(words(starts).map((start) => `${start}T10:00/60`))
  })

  test('a part that contradicts the kept rest of a rule is refused, and names its field', async () => {
    const wrong: [former: object, sent: object, field: string][] = [
      [monthlyDay, { repeat_interval: 4 }, 'repeat_interval'],
      [monthlyDay, { monthly_week: 1 }, 'monthly_week_day'],
      [daily, { end_times: 61 }, 'end_times'],
      [daily, { end_date_time: '2029-01-01T00:00:00Z' }, 'end_date_time'],
    ]
    for (const [rule, sent, field] of wrong) {
      const { start_url, ...made } = await host.make({ ...series, recurrence: rule })
      const answer = await host.patch(meetingPath(made.id), { recurrence: sent })
      expect(refused(answer)).toBe(`400 300 recurrence.${field}`)
      expect(await read(meetingPath(made.id))).toEqual(made)
    }
    const { id } = await host.make({ start_time })
    await change(meetingPath(id), { recurrence: { end_times: 2 } })
    const answer = await host.patch(meetingPath(id), { type: 8, recurrence: { end_times: 2 } })
    expect(refused(answer)).toBe('400 300 recurrence.type')
  })

  test('end_times 0 is a series without end, which has sixty occurrences', async () => {
    const endless = { ...recurrence, end_times: 0 }
    const made = await host.make({ ...series, recurrence: endless })
    expect(made.occurrences).toHaveLength(60)
    expect(made.recurrence).toEqual({ ...endless, repeat_interval: 1 })
    await host.remove(path(made.id, idOf(day(2))))
    await change(meetingPath(made.id), { recurrence: { ...endless, end_times: '0' } })
    expect(await datesOf(made.id)).toHaveLength(59)
    const bounded = { ...endless, end_date_time: day(3) }
    expect((await host.make({ ...series, recurrence: bounded })).occurrences).toHaveLength(3)
    const { id } = await host.make(series)
    await change(meetingPath(id), { recurrence: { end_times: 0 } })
    expect(await datesOf(id)).toHaveLength(60)
  })
})
