import { expect, test } from 'vitest'
import { refused } from '../support/platform.ts'
import { meetingPath, startMeetings } from './meetings-server.ts'

const server = await startMeetings()
const host = await server.as('member@acme.test')
const read = (id: number) => host.client.meetings.get({ params: { meetingId: `${id}` } })
const start_time = '2030-01-01T10:00:00Z'
const series = { type: 8, start_time, recurrence: { type: 1, end_times: 3 } } as const
const startsOf = async (id: number) =>
  (await read(id)).occurrences?.map((one) => one.start_time.slice(0, 16))

test('a change sets only the fields of its body', async () => {
  const settings = { watermark: true, audio: 'voip' } as const
  const made = await host.make({ topic: 'Plan', agenda: 'Goals', start_time, settings })
  const changes = {
    ...{ topic: 'Review', password: 'x1y2z3', duration: '90' },
    ...{ settings: { host_video: true, audio: null } },
  }
  const answer = await host.patch(meetingPath(made.id), changes)
  expect([answer.status, answer.text]).toEqual([204, ''])
  const { start_url, join_url, ...rest } = made
  expect(await read(made.id)).toMatchObject({
    ...rest,
    ...{ topic: 'Review', password: 'x1y2z3', duration: 90 },
    settings: { ...made.settings, host_video: true },
  })
})

test('null, empty and unknown fields change nothing', async () => {
  const settings = { alternative_hosts: 'admin@acme.test' }
  const { start_url, ...made } = await host.make({ ...series, agenda: 'Goals', settings })
  const names = ['topic', 'type', 'start_time', 'duration', 'timezone', 'password']
  for (const none of [null, '']) {
    const more = [...names, 'recurrence', 'settings', 'schedule_for', 'pre_schedule']
    const body = Object.fromEntries(more.map((name) => [name, none]))
    Object.assign(body, none === null && { agenda: null, settings: { alternative_hosts: null } })
    expect((await host.patch(meetingPath(made.id), body)).status).toBe(204)
    expect(await read(made.id)).toMatchObject(made)
  }
})

test('a new start or recurrence creates new occurrences', async () => {
  const { id } = await host.make(series)
  await host.patch(meetingPath(id), { start_time: '2030-02-01T08:00:00Z' })
  expect(await startsOf(id)).toEqual(['2030-02-01T08:00', '2030-02-02T08:00', '2030-02-03T08:00'])
  await host.patch(meetingPath(id), { recurrence: { type: 2, weekly_days: 6, end_times: 2 } })
  expect(await startsOf(id)).toEqual(['2030-02-01T08:00', '2030-02-08T08:00'])
  expect((await read(id)).recurrence).toMatchObject({ type: 2, weekly_days: '6', end_times: 2 })
  // 3 a.m. in New York, which is an hour earlier in UTC from 10 March.
  const recurrence = { type: 3, end_times: 3 }
  await host.patch(meetingPath(id), { timezone: 'America/New_York', recurrence })
  expect(await startsOf(id)).toEqual(['2030-02-01T08:00', '2030-03-01T08:00', '2030-04-01T07:00'])
})

test('a meeting can change between types 2, 3 and 8', async () => {
  const { id } = await host.make({ start_time })
  const become = async (body: object) => {
    expect((await host.patch(meetingPath(id), body)).status).toBe(204)
    const { type, start_time, recurrence, occurrences } = await read(id)
    return [type, start_time, recurrence?.end_times, occurrences?.length]
  }
  expect(refused(await host.patch(meetingPath(id), { type: 8 }))).toBe('400 300 recurrence')
  const recurrence = { type: 1, end_times: 4 }
  expect(await become({ type: '8', recurrence })).toEqual([8, start_time, 4, 4])
  expect(await become({ type: 3 })).toEqual([3, undefined, 4, undefined])
  expect(await become({ type: 8, start_time })).toEqual([8, start_time, 4, 4])
  expect(await become({ type: 2, recurrence: 'x' })).toEqual([2, start_time, undefined, undefined])
})

test('a meeting cannot be changed to or from type 1', async () => {
  const instant = await host.make({ type: 1 })
  const other = await host.make()
  expect(refused(await host.patch(meetingPath(instant.id), { type: 2 }))).toBe('409 409')
  expect(refused(await host.patch(meetingPath(other.id), { type: 1 }))).toBe('409 409')
  expect((await host.patch(meetingPath(instant.id), { type: 1, topic: 'Now' })).status).toBe(204)
})

test('a personal meeting keeps its host, type and times', async () => {
  const pmi = await host.pmi()
  const path = meetingPath(pmi)
  const before = await read(pmi)
  const schedule_for = 'member@acme.test'
  const recurrence = { type: 1 }
  for (const body of [{ type: 2 }, { start_time }, { recurrence }, { schedule_for }]) {
    expect(refused(await host.patch(path, { topic: 'Other', ...body }))).toBe('409 409')
  }
  expect((await read(pmi)).topic).toBe(before.topic)
  const changes = { topic: 'Room', agenda: 'Talk', password: 'p1q2r3', duration: 30 }
  const more = { timezone: 'Europe/Berlin', settings: { waiting_room: true } }
  expect((await host.patch(path, { ...changes, ...more })).status).toBe(204)
  expect(await read(pmi)).toMatchObject({ ...changes, timezone: 'Europe/Berlin', type: 4 })
  expect(await read(pmi)).not.toHaveProperty('start_time')
})

const wrong: [field: string, body: unknown][] = [
  ['type', { type: 4 }],
  ['start_time', { start_time: '2030-02-30T10:00:00Z' }],
  ['duration', { duration: 0 }],
  ['settings.audio', { settings: { audio: 'telepathy' } }],
  ['recurrence.end_date_time', { recurrence: { type: 1, end_date_time: '2999-01-01T00:00:00Z' } }],
]
test('a change with an invalid field is refused with 300 and the field, and changes nothing', async () => {
  const { start_url, ...made } = await host.make(series)
  for (const [field, body] of wrong) {
    const answer = await host.patch(meetingPath(made.id), { agenda: 'Other', ...Object(body) })
    expect(refused(answer)).toBe(`400 300 ${field}`)
  }
  expect(await read(made.id)).toMatchObject(made)
})

test('after concurrent changes the occurrences are those of one change', async () => {
  const { id } = await host.make(series)
  const days = ['02', '03', '04', '05', '06', '07']
  const answers = await Promise.all(
    days.map((day) => host.patch(meetingPath(id), { start_time: `2030-03-${day}T10:00:00Z` })),
  )
  expect(answers.map(({ status }) => status)).toEqual(days.map(() => 204))
  const after = await read(id)
  const starts = after.occurrences?.map((one) => Number(one.occurrence_id)) ?? []
  const first = Date.parse(after.start_time ?? '')
  expect(starts).toEqual([0, 1, 2].map((day) => first + day * 86_400_000))
})

test('admin scopes can give a meeting to another host of its account', async () => {
  const { id } = await host.make()
  const second = { schedule_for: 'second@acme.test' }
  expect(refused(await host.patch(meetingPath(id), second))).toBe('403 4711')
  const office = await server.office('Office', 'Acme')
  const abroad = { schedule_for: 'member@other.test' }
  expect(refused(await office.patch(meetingPath(id), abroad))).toBe('404 1001')
  expect((await office.patch(meetingPath(id), second)).status).toBe(204)
  expect(refused(await host.get(meetingPath(id)))).toBe('404 3001')
  const { body } = await (await server.as('second@acme.test')).get(meetingPath(id))
  expect(body.host_email).toBe('second@acme.test')
})
