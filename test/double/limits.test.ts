import type { DoubleOptions } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { type Answer, atOnce, me, serverAt } from '../support/oauth-client.ts'
import { callWith } from '../support/platform.ts'
import { member, owner, startTwoApps, type TwoApps } from './two-apps.ts'

const scopes = [
  ...['user:read:user', 'meeting:read:list_meetings', 'meeting:write:meeting'],
  ...['meeting:update:meeting', 'meeting:delete:meeting'],
]

/** Starts a double whose time is noon, and stays so. */
async function start(limits?: DoubleOptions['limits']) {
  const now = '2030-01-01T12:00:00Z'
  const started = await startTwoApps(scopes, scopes, { now, ...(limits && { limits }) })
  started.sp.clock.freeze()
  return started
}

async function callsOf({ sp, grant }: TwoApps, app: string, email: string) {
  const server = serverAt(sp.url)
  const { access_token } = await grant(app, email)
  const send = async (method: string, path: string, body?: unknown) => {
    // Stays below the rate.
    sp.clock.set(sp.clock.now().getTime() + 100)
    return callWith(server, access_token, path, { method, body })
  }
  return {
    me: () => me(server, access_token),
    list: () => callWith(server, access_token, '/v2/users/me/meetings'),
    create: (body: unknown = {}) => send('POST', '/v2/users/me/meetings', body),
    update: (id: unknown) => send('PATCH', `/v2/meetings/${id}`, { topic: 'New' }),
    remove: (id: unknown) => send('DELETE', `/v2/meetings/${id}`),
  }
}

/** The headers of the limits, and the status: `429 Light QPS 30 0`. */
const shown = ({ status, headers }: Answer) =>
  [
    status,
    ...['Category', 'Type', 'Limit', 'Remaining'].map((name) => headers.get(`X-RateLimit-${name}`)),
  ].join(' ')

test('each category of requests has a rate for each account, over its apps and users', async () => {
  const double = await start('vendor')
  const [one, other] = [
    await callsOf(double, 'Scheduler', member),
    await callsOf(double, 'Notes', owner),
  ]
  expect(shown(await one.me())).toBe('200 Light QPS 30 29')
  await atOnce(29, () => one.me())
  const refused = await other.me()
  expect(shown(refused)).toBe('429 Light QPS 30 0')
  expect(refused.body).toEqual({
    code: 429,
    message: 'You have reached the limit of 30 light requests a second for this account.',
  })
  expect(shown(await other.list())).toBe('200 Medium QPS 20 19')
  await double.sp.clock.advance('1s')
  expect(shown(await other.me())).toBe('200 Light QPS 30 29')
})

test('a user has 100 changes of meetings a day over all apps, and again from 00:00 UTC', async () => {
  const double = await start('vendor')
  const [one, other, ofOwner] = [
    await callsOf(double, 'Scheduler', member),
    await callsOf(double, 'Notes', member),
    await callsOf(double, 'Notes', owner),
  ]
  const { body: first } = await one.create()
  expect(shown(await one.update(first.id))).toBe('204 Light Daily-limit 100 98')
  expect((await one.create({ type: 99 })).status).toBe(400)
  expect((await one.update(12_345_678_901)).status).toBe(404)
  expect(shown(await one.remove(first.id))).toBe('204 Light Daily-limit 100 97')
  let last = ''
  for (let made = 0; made < 97; made++) last = shown(await other.create())
  expect(last).toBe('201 Light Daily-limit 100 0')

  const refused = await one.create()
  expect(shown(refused)).toBe('429 Light Daily-limit 100 0')
  expect(refused.headers.get('retry-after')).toBe('2030-01-02T00:00:00.000Z')
  expect(refused.body).toEqual({
    code: 429,
    message:
      'You have reached the limit of 100 meetings created, changed or deleted a day (UTC) for this user.',
  })
  expect(shown(await one.list())).toMatch(/^200 Medium QPS 20/)
  expect(shown(await ofOwner.create())).toBe('201 Light Daily-limit 100 99')

  double.sp.clock.set('2030-01-01T23:59:59Z')
  const later = await callsOf(double, 'Scheduler', member)
  expect((await later.create()).status).toBe(429)
  double.sp.clock.set('2030-01-02T00:00:00Z')
  expect(shown(await later.create())).toBe('201 Light Daily-limit 100 99')
})

test('without hints, the refusal of the day neither says its type nor when it ends', async () => {
  const double = await start({ vendor: true, hints: false })
  const one = await callsOf(double, 'Scheduler', member)
  expect(shown(await one.create())).toBe('201 Light Daily-limit 100 99')
  for (let made = 1; made < 100; made++) await one.create()
  const refused = await one.create()
  expect(shown(refused)).toBe('429 Light  100 0')
  expect(refused.headers.get('retry-after')).toBeNull()
})

test('without the option, there is no limit and no header of one', async () => {
  const double = await start()
  const one = await callsOf(double, 'Scheduler', member)
  const answers = await atOnce(40, () => one.me())
  expect(new Set(answers.map(shown))).toEqual(new Set(['200    ']))
})
