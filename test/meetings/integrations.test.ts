import { expect, test } from 'vitest'
import { z } from 'zod'
import { generalApp, serverApp } from '../support/apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { refused } from '../support/platform.ts'

/** Requests of three public integrations, and the fields that they read of the responses. */

const ofUser = [
  ...['user:read:user', 'user:read:settings'],
  ...['meeting:write:meeting', 'meeting:read:list_meetings', 'meeting:read:meeting'],
  ...['meeting:update:meeting', 'meeting:delete:meeting'],
]
const server = await startOAuthServer(
  {},
  {
    apps: [
      generalApp('Bookings', ofUser),
      generalApp('Workflows', ['meeting:write', 'meeting:read', 'user:read']),
      serverApp('Courses', [
        ...ofUser.map((scope) => `${scope}:admin`),
        'user:read:list_users:admin',
      ]),
    ],
  },
)
const caller = (token: string) => async (method: string, path: string, body?: unknown) => {
  const answer = await server.callWith(token, `/v2/${path}`, { method, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

const Made = z.object({ id: z.number(), join_url: z.string(), password: z.string().optional() })
const Settings = z.object({
  recording: z.object({ auto_recording: z.string().nullish() }).nullish(),
  schedule_meeting: z
    .object({ default_password_for_scheduled_meetings: z.string().nullish() })
    .nullish(),
  in_meeting: z.object({ waiting_room: z.boolean() }).nullish(),
})
const text = z.string()
const Page = z.object({
  ...{ next_page_token: text, page_count: z.number(), page_number: z.number() },
  ...{ page_size: z.number(), total_records: z.number() },
  meetings: z.array(
    z.object({
      ...{ id: z.number(), uuid: text, host_id: text, pmi: text, join_url: text, topic: text },
      ...{ type: z.number(), start_time: text, duration: z.number(), timezone: text },
      ...{ agenda: text, created_at: text },
    }),
  ),
})

test('a scheduler reads settings before each meeting, books a series, moves one date and deletes', async () => {
  const call = caller(await server.tokenOf('Bookings', 'member@acme.test'))
  const named = 'default_password_for_scheduled_meetings,auto_recording,waiting_room'
  const settings = Settings.parse(
    await call('GET', `users/me/settings?custom_query_fields=${named}`),
  )
  expect(settings).toEqual({
    recording: { auto_recording: 'none' },
    in_meeting: { waiting_room: false },
  })
  const bookingAt = (start_time: string) => ({
    ...{ topic: 'Consultation', type: 8, start_time, duration: 30, timezone: 'Europe/Berlin' },
    ...{
      agenda: 'Questions',
      recurrence: { type: 2, weekly_days: 3, repeat_interval: 1, end_times: 3 },
    },
    settings: {
      ...{ host_video: true, participant_video: true, cn_meeting: false, in_meeting: false },
      ...{ join_before_host: true, mute_upon_entry: false, watermark: false, use_pmi: false },
      ...{ approval_type: 2, audio: 'both', enforce_login: false },
      auto_recording: settings.recording?.auto_recording,
      ...{ registrants_email_notification: true, waiting_room: settings.in_meeting?.waiting_room },
    },
  })
  const { id } = Made.parse(
    await call('POST', 'users/me/meetings', bookingAt('2030-01-01T10:00:00Z')),
  )
  await call(
    'PATCH',
    `meetings/${id}?occurrence_id=20300108T100000Z`,
    bookingAt('2030-01-09T15:00:00Z'),
  )
  const starts = async () => {
    const { occurrences } = await call('GET', `meetings/${id}`)
    return z
      .array(z.object({ start_time: text }))
      .parse(occurrences)
      .map((one) => one.start_time)
  }
  const [first, moved, last] = [
    '2030-01-01T10:00:00Z',
    '2030-01-09T15:00:00Z',
    '2030-01-15T10:00:00Z',
  ]
  expect(await starts()).toEqual([first, moved, last])
  const busy = Page.parse(await call('GET', 'users/me/meetings?type=scheduled&page_size=300'))
  expect(busy).toMatchObject({ page_count: 1, page_number: 1, page_size: 300, total_records: 1 })
  const { pmi } = await call('GET', 'users/me')
  expect(busy.meetings).toMatchObject([{ id, pmi: String(pmi), start_time: first, duration: 30 }])
  await call('DELETE', `meetings/${id}?occurrence_id=20300101T100000Z`)
  await call('PATCH', `meetings/${id}`, { ...bookingAt(first), topic: 'Renamed' })
  expect(await starts()).toEqual([moved, last])
  await call('DELETE', `meetings/${id}`)
  expect(Page.parse(await call('GET', 'users/me/meetings?type=scheduled')).meetings).toEqual([])
})

test('a workflow tool reads all pages by their numbers from 0, and sends numbers as text', async () => {
  const call = caller(await server.tokenOf('Workflows', 'admin@acme.test'))
  for (const topic of ['First', 'Second', 'Third']) {
    const settings = { host_video: true, in_meeting: true, registration_type: 1 }
    const times = { start_time: '2030-01-01T10:00:00', timezone: 'America/New_York', duration: 45 }
    await call('POST', 'users/me/meetings', { topic, type: '2', ...times, settings })
    server.clock.advance(1000)
  }
  const readAll = async (query: string) => {
    const topics: string[][] = []
    for (let number = 0; ; number++) {
      const page = Page.parse(await call('GET', `users/me/meetings?${query}page_number=${number}`))
      topics.push(page.meetings.map(({ topic }) => topic))
      if (page.page_count === page.page_number) return topics
    }
  }
  expect(await readAll('')).toEqual([['Third', 'Second', 'First']])
  // Its page 0 is the first page again.
  const pages = [['Third', 'Second'], ['Third', 'Second'], ['First']]
  expect(await readAll('page_size=2&')).toEqual(pages)
  expect(await readAll('type=live&')).toEqual([[]])
  const recurrence = { type: 1, end_times: 2 }
  const { id } = await call('POST', 'users/me/meetings', { type: 8, recurrence })
  const { occurrences } = await call('GET', `meetings/${id}?show_previous_occurrences=true`)
  const [one] = z.array(z.object({ occurrence_id: text })).parse(occurrences)
  const occurrence = `meetings/${id}?occurrence_id=${one?.occurrence_id}`
  const changes = {
    start_time: '2030-01-09T10:00:00Z',
    settings: { cn_meeting: true, watermark: true },
  }
  await call('PATCH', occurrence, changes)
  const { start_time } = changes
  expect(await call('GET', occurrence)).toMatchObject({ start_time, settings: { watermark: true } })
  expect(await call('GET', `meetings/${id}`)).toMatchObject({ settings: { watermark: false } })
  await call('DELETE', `${occurrence}&schedule_for_reminder=true`)
  await call('DELETE', `meetings/${id}?schedule_for_reminder=true`)
})

test('a learning platform reads users and settings, and sends a whole meeting for a new title', async () => {
  const call = caller(await server.ownTokenOf('Courses', 'Acme'))
  const users = await call('GET', 'users?page_size=300')
  expect(users).toMatchObject({ next_page_token: '' })
  const { id: hostId } = await call('GET', 'users/owner@acme.test')
  const { recording } = Settings.parse(await call('GET', `users/${hostId}/settings`))
  const { meeting_security } = await call('GET', `users/${hostId}/settings?option=meeting_security`)
  expect(meeting_security).toMatchObject({ meeting_password_requirement: { length: 6 } })
  const course = (name: string, repeat: object) => ({
    ...{ topic: name, agenda: 'Lectures', timezone: 'Europe/Berlin', type: 8, duration: 90 },
    ...{ start_time: '2030-01-01T10:00:00Z', password: '123456', tracking_fields: [] },
    recurrence: { type: 2, repeat_interval: 1, weekly_days: '3,5', ...repeat },
    settings: {
      ...{ host_video: false, audio: 'both', alternative_hosts: '', approval_type: '2' },
      ...{
        participant_video: false,
        join_before_host: true,
        encryption_type: 'enhanced_encryption',
      },
      ...{ waiting_room: false, mute_upon_entry: true, meeting_authentication: true },
      ...{ auto_recording: recording?.auto_recording, breakout_room: { enable: true, rooms: [] } },
    },
  })
  const { id } = await call('POST', `users/${hostId}/meetings`, course('Algebra', { end_times: 4 }))
  const path = `meetings/${id}`
  const { occurrences } = await call('GET', path)
  const [first] = z.array(z.object({ occurrence_id: text })).parse(occurrences)
  await call('DELETE', `${path}?occurrence_id=${first?.occurrence_id}`)
  await call('PATCH', path, course('Algebra II', { end_date_time: '2030-01-10T22:59:00Z' }))
  expect(await call('GET', path)).toMatchObject({
    ...{ topic: 'Algebra II', start_time: '2030-01-03T10:00:00Z' },
    occurrences: [3, 8, 10].map((day) => ({
      start_time: `2030-01-${`${day}`.padStart(2, '0')}T10:00:00Z`,
    })),
  })
  await call('DELETE', `${path}?schedule_for_reminder=false`)
  const list = Page.parse(await call('GET', `users/${hostId}/meetings?page_size=300`))
  expect(list).toMatchObject({ page_count: 1, total_records: 0, meetings: [] })
})

test('new meetings have the settings that their host reads, and other settings can be named', async () => {
  const token = await server.tokenOf('Bookings', 'member@acme.test')
  const call = caller(token)
  const read = async (query = '') => call('GET', `users/me/settings${query}`)
  const { schedule_meeting: own, ...rest } = await read()
  const { settings, password } = await call('POST', 'users/me/meetings', {})
  const { audio, use_pmi, participant_video, ...made } = Object(settings)
  expect(own).toMatchObject({
    ...{ host_video: made.host_video, join_before_host: made.join_before_host },
    ...{ mute_upon_entry: made.mute_upon_entry, participants_video: participant_video },
    ...{ audio_type: audio, use_pmi_for_scheduled_meetings: use_pmi },
    ...{ require_password_for_scheduling_new_meetings: true, embed_password_in_join_link: true },
  })
  expect(password).toMatch(/^.{6}$/)
  const { waiting_room, auto_recording } = made
  expect(rest).toMatchObject({ in_meeting: { waiting_room }, recording: { auto_recording } })
  expect(await read('?custom_query_fields=')).toEqual({ schedule_meeting: own, ...rest })
  const named = await read('?custom_query_fields=waiting_room,%20host_video,x')
  expect(named).toEqual({
    schedule_meeting: { host_video: false },
    in_meeting: { waiting_room: false },
    meeting_security: { waiting_room: false },
  })
  expect(await read('?custom_query_fields=x')).toEqual({})
  const send = (path: string) => server.callWith(token, `/v2/users/${path}`)
  const twice = await send('me/settings?custom_query_fields=a&custom_query_fields=b')
  expect(refused(twice)).toBe('400 300 custom_query_fields')
  expect(refused(await send('nobody/settings'))).toBe('403 4711')
  const office = await server.ownTokenOf('Courses', 'Acme')
  expect(refused(await server.callWith(office, '/v2/users/nobody/settings'))).toBe('404 1001')
})
