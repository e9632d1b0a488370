import { expect, test } from 'vitest'
import { opensAsHost } from '../support/meetings.ts'
import { authUrl } from '../support/oauth-server.ts'
import { refused } from '../support/platform.ts'
import { words } from '../support/words.ts'
import { meetingPath, startMeetings } from './meetings-server.ts'

const own = '/v2/users/me/meetings'
const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const server = await startMeetings()
let host = await server.as('member@acme.test')

test('a meeting without fields is scheduled for now with the defaults', async () => {
  const meeting = await host.make()
  const now = iso(server.clock.now())
  expect(meeting).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    id: expect.any(Number),
    host_id: server.idOf('member@acme.test'),
    host_email: 'member@acme.test',
    topic: 'My Meeting',
    type: 2,
    status: 'waiting',
    start_time: now,
    duration: 60,
    timezone: 'UTC',
    agenda: '',
    created_at: now,
    start_url: expect.stringMatching(`^${authUrl}/meetings/${meeting.id}/start\\?zak=smt_`),
    join_url: `${authUrl}/meetings/${meeting.id}?pwd=${meeting.password}`,
    password: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
    settings: {
      host_video: false,
      participant_video: false,
      join_before_host: false,
      mute_upon_entry: false,
      waiting_room: false,
      watermark: false,
      use_pmi: false,
      approval_type: 2,
      audio: 'both',
      auto_recording: 'none',
      alternative_hosts: '',
    },
  })
  expect(String(meeting.id)).toMatch(/^[1-9]\d{10}$/)
})

test('the fields of a meeting are stored unchanged', async () => {
  const settings = { host_video: true, approval_type: 0, audio: 'voip', auto_recording: 'cloud' }
  const sent = {
    topic: 'Планы 🎉 "q4" \\ \n',
    start_time: '2030-07-01T09:30:00',
    timezone: 'America/New_York',
    duration: 1440,
    agenda: 'First; then the rest 🧩',
    password: 'aB3@_-*',
    settings,
  }
  const meeting = await host.make(sent)
  const stored = { ...sent, topic: sent.topic.trim(), start_time: '2030-07-01T13:30:00Z' }
  expect(meeting).toMatchObject(stored)
  expect(meeting.join_url).toBe(`${authUrl}/meetings/${meeting.id}?pwd=aB3%40_-*`)
  const again = await host.client.meetings.get({ params: { meetingId: `${meeting.id}` } })
  expect(again).toEqual({ ...meeting, start_url: expect.any(String) })
})

/** Fields of a meeting that the vendor documents and this service lacks. */
const vendorFields = words(
  'default_password pre_schedule template_id occurrences pmi registration_url',
)
const vendorSettings =
  words(`additional_data_center_regions allow_host_control_participant_mute_state
  allow_multiple_devices alternative_host_update_polls alternative_hosts_email_notification
  approved_or_denied_countries_or_regions audio_conference_info authentication_domains
  authentication_exception authentication_option auto_start_ai_companion_questions
  auto_start_meeting_summary breakout_room calendar_type close_registration cn_meeting contact_email
  contact_name continuous_meeting_chat custom_keys device_testing disable_participant_video
  email_in_attendee_report email_notification encryption_type enforce_login enforce_login_domains
  focus_mode global_dial_in_countries global_dial_in_numbers host_save_video_order in_meeting
  internal_meeting jbh_time language_interpretation meeting_authentication meeting_invitees
  participant_focused_meeting private_meeting push_change_to_calendar question_and_answer
  registrants_confirmation_email registrants_email_notification registration_type
  request_permission_to_unmute_participants resources show_join_info show_share_button
  sign_language_interpretation summary_template_id waiting_room_options watermark_type`)
const nulls = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]))

test('unknown fields of a meeting are ignored, and numbers and booleans can be sent as text', async () => {
  const sent = {
    ...{ topic: '', start_time: '', timezone: '', password: '', agenda: '' },
    ...{ type: '2', duration: '45', ...nulls(vendorFields), tracking_fields: [{ field: 'x' }] },
    settings: { host_video: 'True', watermark: 'false', ...nulls(vendorSettings), jbh_time: 5 },
    recurrence: { type: 1, repeat_interval: 1 },
  }
  const { status, body } = await host.post(own, sent)
  expect(status).toBe(201)
  expect(body).toMatchObject({ topic: 'My Meeting', type: 2, duration: 45, timezone: 'UTC' })
  expect(body.settings).toMatchObject({ host_video: true, watermark: false })
  for (const field of ['pre_schedule', 'tracking_fields', 'recurrence', 'occurrences']) {
    expect(body).not.toHaveProperty(field)
  }
  expect(body.settings).not.toHaveProperty('cn_meeting')
})

test('a meeting for another host requires an admin scope and names the host by id or email', async () => {
  for (const schedule_for of ['second@acme.test', server.idOf('second@acme.test'), 'nobody']) {
    expect(refused(await host.post(own, { schedule_for }))).toBe('403 4711')
  }
  const mine = await host.post(own, { schedule_for: 'member@acme.test' })
  expect([mine.status, mine.body.host_email]).toEqual([201, 'member@acme.test'])
  const office = await server.office('Office', 'Acme')
  for (const schedule_for of ['second@acme.test', server.idOf('second@acme.test')]) {
    const { status, body } = await office.post(own, { schedule_for })
    expect([status, body.host_email]).toEqual([201, 'second@acme.test'])
    expect((await office.remove(meetingPath(body.id))).status).toBe(204)
  }
  for (const schedule_for of ['member@other.test', 'nobody', 'a\0b']) {
    expect(refused(await office.post(own, { schedule_for }))).toMatch(/^(404 1001|400 300 sched)/)
  }
})

test('meetings of types 1 and 3 have no start, and type 3 stores its recurrence without occurrences', async () => {
  const start_time = '2030-01-01T10:00:00Z'
  const instant = await host.make({ type: 1, start_time })
  const recurrence = { type: 2, weekly_days: '2, 4', end_date_time: '2030-02-01 10:00' } as const
  const open = await host.make({ type: 3, start_time, recurrence })
  for (const meeting of [instant, open]) {
    expect(meeting).not.toHaveProperty('start_time')
    expect(meeting).not.toHaveProperty('occurrences')
  }
  expect(open.recurrence).toEqual({
    type: 2,
    repeat_interval: 1,
    weekly_days: '2,4',
    end_date_time: '2030-02-01T10:00:00Z',
  })
})

test('a recurring meeting has its occurrences at the same local time', async () => {
  const meeting = await host.make({
    type: 8,
    start_time: '2026-10-19T09:00:00',
    timezone: 'Europe/Berlin',
    duration: 30,
    recurrence: { type: 2, end_times: 3 },
  })
  const times = ['2026-10-19T07:00:00Z', '2026-10-26T08:00:00Z', '2026-11-02T08:00:00Z']
  expect(meeting.start_time).toBe(times[0])
  const recurrence = { type: 2, repeat_interval: 1, weekly_days: '2', end_times: 3 }
  expect(meeting.recurrence).toEqual(recurrence)
  expect(meeting.occurrences).toEqual(
    times.map((start_time) => ({
      occurrence_id: `${Date.parse(start_time)}`,
      start_time,
      duration: 30,
      status: 'available',
    })),
  )
  const again = await host.client.meetings.get({ params: { meetingId: `${meeting.id}` } })
  expect(again.occurrences).toEqual(meeting.occurrences)
})

test('a recurring meeting has at most sixty occurrences', async () => {
  const start_time = '2030-01-01T10:00:00Z'
  const ending = (end_date_time: string) =>
    host.post(own, { type: 8, start_time, recurrence: { type: 1, end_date_time } })
  const whole = await ending('2030-03-01T10:00:00Z')
  expect([whole.status, whole.body.occurrences]).toEqual([201, expect.any(Array)])
  expect(whole.body.occurrences).toHaveLength(60)
  const field = 'recurrence.end_date_time'
  for (const end of ['2030-03-02T10:00:00Z', '2999-12-31T00:00:00Z', '2030-01-01T09:59:59Z']) {
    expect(refused(await ending(end))).toBe(`400 300 ${field}`)
  }
})

const rule = (recurrence: object) => ({ type: 8, recurrence })
const wrong: [field: string, body: unknown][] = [
  ['topic', { topic: 'x'.repeat(201) }],
  ['topic', { topic: '\ud800' }],
  ['type', { type: 4 }],
  ['start_time', { start_time: 'tomorrow' }],
  ['start_time', { start_time: '2026-02-30T10:00:00' }],
  ['start_time', { start_time: '3000-01-01T10:00:00Z' }],
  ['start_time', { start_time: 1795255200000 }],
  ['duration', { duration: 1441 }],
  ['timezone', { timezone: 'Mars/Phobos' }],
  ['agenda', { agenda: '\0' }],
  ['password', { password: 'pässword' }],
  ['schedule_for', { schedule_for: 7 }],
  ['settings', { settings: 'all' }],
  ['settings.host_video', { settings: { host_video: 'yes' } }],
  ['settings.approval_type', { settings: { approval_type: 3 } }],
  ['settings.audio', { settings: { audio: 'telepathy' } }],
  ['recurrence', { type: 8 }],
  ['recurrence.type', rule({})],
  ['recurrence.repeat_interval', rule({ type: 1, repeat_interval: 91 })],
  ['recurrence.repeat_interval', rule({ type: 3, repeat_interval: 4 })],
  ['recurrence.weekly_days', rule({ type: 2, weekly_days: '1,8' })],
  ['recurrence.monthly_day', rule({ type: 3, monthly_day: 32 })],
  ['recurrence.monthly_week', rule({ type: 3, monthly_week: 5, monthly_week_day: 1 })],
  ['recurrence.monthly_week_day', rule({ type: 3, monthly_week: 1 })],
  ['recurrence.end_times', rule({ type: 1, end_times: 61 })],
  ['recurrence.end_date_time', rule({ type: 1, end_date_time: '2030-02-30T00:00:00Z' })],
  ['', '[]'],
  ['topic', { topic: 'x'.repeat(1_000_000) }],
]
test('a meeting with an invalid field is refused with 300 and the field, and is not stored', async () => {
  const before = (await host.list()).total_records
  for (const [field, body] of wrong) {
    const answer = await host.post(own, body)
    expect(refused(answer).trim(), JSON.stringify(body)).toBe(`400 300 ${field}`.trim())
  }
  expect((await host.list()).total_records).toBe(before)
})

test('the start_url of a meeting opens the page of its host for two hours', async () => {
  const office = await server.office('Office', 'Acme')
  const userId = server.idOf('member@acme.test')
  const made = await office.client.meetings.create({ params: { userId }, body: {} })
  const { start_url } = await office.client.meetings.get({ params: { meetingId: `${made.id}` } })
  const opens = (link: string) =>
    opensAsHost(server, made.id, new URL(link).searchParams.get('zak') ?? '')
  for (const link of [made.start_url, start_url]) expect(await opens(link)).toBe(true)
  server.clock.advance(7_200_000 - 1)
  expect(await opens(start_url)).toBe(true)
  server.clock.advance(1)
  expect(await opens(start_url)).toBe(false)
  // Access tokens last an hour.
  host = await server.as('member@acme.test')
})

test('a deleted meeting is in no list, and deleting it again is refused with 404', async () => {
  const { id } = await host.make()
  const listed = async () => (await host.list('page_size=300')).meetings.map((one) => one.id)
  expect(await listed()).toContain(id)
  await host.client.meetings.remove({ params: { meetingId: `${id}` } })
  const missing = { code: 3001, message: 'Meeting does not exist.' }
  for (const again of [await host.remove(meetingPath(id)), await host.get(meetingPath(id))]) {
    expect([again.status, again.body]).toEqual([404, missing])
  }
  expect(await listed()).not.toContain(id)
})

test('a personal meeting can be read, is in no list, and cannot be deleted', async () => {
  const host_email = 'member@acme.test'
  const id = await host.pmi()
  const answer = await host.get(meetingPath(id))
  expect(answer.body).toMatchObject({ id, type: 4, host_email })
  expect(refused(await host.remove(meetingPath(id)))).toBe('409 409')
  const { meetings } = await host.list('page_size=300')
  expect(meetings.map(({ type }) => type)).not.toContain(4)
})

const missing = { code: 3001, message: 'Meeting does not exist.' }

test('an id that cannot be a meeting number is refused with 404', async () => {
  const none = ['10000000000', '0', 'me', '1e10', '%00', '9'.repeat(400), '85746065432.0']
  for (const id of none) {
    for (const answer of [await host.get(meetingPath(id)), await host.remove(meetingPath(id))]) {
      expect([answer.status, answer.body]).toEqual([404, missing])
    }
  }
})

test("another host's meeting gets the same error as an unknown meeting, inside and outside the account", async () => {
  const { id } = await host.make({ type: 8, recurrence: { type: 1, end_times: 2 } })
  for (const email of ['second@acme.test', 'admin@acme.test', 'member@other.test']) {
    const stranger = await server.as(email)
    const occurrence = `${meetingPath(id)}?occurrence_id=1`
    const answers = [
      await stranger.get(meetingPath(id)),
      await stranger.remove(meetingPath(id)),
      await stranger.remove(occurrence),
    ]
    for (const { status, body } of answers) expect([status, body]).toEqual([404, missing])
  }
  expect((await host.get(meetingPath(id))).status).toBe(200)
})

test('admin scopes give access to the meetings of the whole account and no other', async () => {
  const office = await server.office('Office', 'Acme')
  const userId = server.idOf('second@acme.test')
  const made = await office.client.meetings.create({ params: { userId }, body: {} })
  expect(made.host_email).toBe('second@acme.test')
  const second = await server.as('second@acme.test')
  expect((await second.get(meetingPath(made.id))).status).toBe(200)
  const listed = await office.client.meetings.list({ params: { userId }, query: {} })
  expect(listed.meetings.map(({ id }) => id)).toEqual([made.id])
  expect((await office.get(meetingPath(made.id))).status).toBe(200)
  expect((await office.make()).host_email).toBe('owner@acme.test')
  expect((await office.remove(meetingPath(made.id))).status).toBe(204)

  const abroad = await server.as('member@other.test')
  const foreign = await abroad.make()
  expect(refused(await office.get(meetingPath(foreign.id)))).toBe('404 3001')
  expect(refused(await office.remove(meetingPath(foreign.id)))).toBe('404 3001')
  for (const user of [server.idOf('member@other.test'), 'unknown']) {
    expect(refused(await office.get(`/v2/users/${user}/meetings`))).toBe('404 1001')
    expect(refused(await office.post(`/v2/users/${user}/meetings`, {}))).toBe('404 1001')
  }
  expect((await abroad.get(meetingPath(foreign.id))).status).toBe(200)
})

test('master scopes give access to the sub-accounts, but not to the account itself', async () => {
  const group = await server.office('Group office', 'Acme')
  const path = `/v2/users/${server.idOf('host@west.test')}/meetings`
  const { status, body } = await group.post(path, {})
  expect([status, body.host_email]).toEqual([201, 'host@west.test'])
  expect((await group.get(meetingPath(body.id))).status).toBe(200)
  const office = await server.office('Office', 'Acme')
  expect(refused(await office.get(meetingPath(body.id)))).toBe('404 3001')
  const { id } = await host.make()
  expect(refused(await group.get(meetingPath(id)))).toBe('404 3001')
})
