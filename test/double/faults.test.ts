import { createSkillpass, type Double } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { type Answer, me, post, read, refusal, serverAt } from '../support/oauth-client.ts'
import { callWith } from '../support/platform.ts'
import { member, owner, startTwoApps } from './two-apps.ts'

const scopes = ['user:read:user', 'meeting:write:meeting', 'meeting:read:list_meetings']
const { sp, appOf, grant } = await startTwoApps(scopes)
const server = serverAt(sp.url)

const tokens = await grant()
const meOf = (token = tokens.access_token) => me(server, token)
const statusOf = async (answer: Promise<Answer>) => (await answer).status

/** Refreshes once with each way of client authentication. */
function refreshBy(way: 'basic' | 'form', app = appOf('Scheduler'), token = tokens.refresh_token) {
  const parameters = { grant_type: 'refresh_token', refresh_token: token }
  const { clientId: client_id, clientSecret: client_secret } = app
  return way === 'basic'
    ? post(server, '/oauth/token', parameters, { app, place: 'form' })
    : post(server, '/oauth/token', { ...parameters, client_id, client_secret }, { place: 'form' })
}

describe('an error', () => {
  test('has the format of its service, and only the next request gets it', async () => {
    sp.faults.next('POST /oauth/token', { status: 503, retryAfter: 7 })
    const refused = await refreshBy('basic')
    expect(refusal(refused)).toBe('503 temporarily_unavailable 503')
    expect(refused.headers.get('retry-after')).toBe('7')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    sp.faults.next('users.get', { error: 'rate_limited' })
    const limited = await meOf()
    expect(limited).toMatchObject({ status: 429, body: { code: 429 } })
    expect(limited.headers.get('retry-after')).toBe('1')
    sp.faults.next('skills.search', { status: 500 })
    const failed = await read(server.http('/api/v1/skills/search?q=x'))
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL' } } })
    sp.faults.next('POST /sign-in', { status: 503 })
    const page = await post(server, '/sign-in', { email: member, password }, { place: 'form' })
    expect(page.status).toBe(503)
    expect(page.text).toContain('Error 503')

    expect(await statusOf(meOf())).toBe(200)
    expect(await statusOf(read(server.http('/api/v1/skills/search?q=x')))).toBe(200)
  })

  test('by name equals the real one, and a status without a row has a general body', async () => {
    sp.faults.next('users.get', { status: 401 })
    const ordered = await meOf()
    sp.clock.freeze()
    const { access_token } = await grant()
    await sp.clock.advance('1h')
    const real = await meOf(access_token)
    expect(ordered.body).toEqual(real.body)
    const challengeOf = ({ headers }: Answer) => headers.get('www-authenticate')
    expect(challengeOf(ordered)).toBe(challengeOf(real))
    sp.clock.run()

    sp.faults.next('oauth.token', { status: 502 })
    expect(refusal(await refreshBy('form'))).toBe('502 server_error 500')
  })

  test.each(['basic', 'form'] as const)(
    'for an app meets only its requests, whose client authenticates by %s',
    async (way) => {
      const notes = await grant('Notes')
      sp.faults.next('oauth.token', { error: 'grant_ended', app: 'Scheduler' })
      expect(await statusOf(refreshBy(way, appOf('Notes'), notes.refresh_token))).toBe(200)
      expect(refusal(await refreshBy(way))).toBe('400 invalid_grant 4741')
    },
  )

  test('for a user meets only the calls for this user', async () => {
    const ofOwner = await grant('Scheduler', owner)
    const { access_token } = await grant()
    sp.faults.next('GET /v2/users/me', { status: 500, user: owner })
    expect(await statusOf(meOf(access_token))).toBe(200)
    expect(await statusOf(meOf(ofOwner.access_token))).toBe(500)
  })
})

describe('a connection', () => {
  const meetings = async (token: string) =>
    (await callWith(server, token, '/v2/users/me/meetings')).body.total_records
  const create = (token: string) =>
    callWith(server, token, '/v2/users/me/meetings', { method: 'POST', body: { topic: 'Plan' } })

  test('cut before the request changes nothing, and cut after it keeps what was committed', async () => {
    const { access_token } = await grant()
    expect(await meetings(access_token)).toBe(0)
    sp.faults.next('meetings.create', { cut: 'before' })
    await expect(create(access_token)).rejects.toThrow('fetch failed')
    expect(await meetings(access_token)).toBe(0)
    sp.faults.next('meetings.create', { cut: 'after' })
    await expect(create(access_token)).rejects.toThrow('fetch failed')
    expect(await meetings(access_token)).toBe(1)
    expect(await statusOf(create(access_token))).toBe(201)
    expect(sp.requests({ route: 'meetings.create' }).map(({ status }) => status)).toEqual([
      null,
      null,
      201,
    ])
  })

  test('closes after half of a body, whose header promises the whole', async () => {
    const { access_token } = await grant()
    const whole = (await meOf(access_token)).text
    sp.faults.next('users.get', { body: 'half' })
    const headers = { authorization: `Bearer ${access_token}` }
    const response = await server.http('/v2/users/me', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
    await expect(response.text()).rejects.toThrow('terminated')
  })

  test('carries text where JSON is announced', async () => {
    sp.faults.next('oauth.token', { status: 503, body: 'text' })
    const refused = await refreshBy('basic')
    expect(refused).toMatchObject({ status: 503, text: 'not json' })
    expect(refused.headers.get('content-type')).toContain('application/json')
  })

  test('that hangs ends when the client leaves, and when the faults are cleared', async () => {
    sp.faults.next('users.get', { hang: true, times: 2 })
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const left = server.http('/v2/users/me', { headers, signal: leaving.signal })
    const waiting = meOf()
    await expect(
      sp.requests.next({ route: 'users.get', status: 299 }, { timeout: 50 }),
    ).rejects.toThrow('None arrived within 50 ms')
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
    sp.faults.clear()
    await expect(waiting).rejects.toThrow('fetch failed')
  })

  test('waits for a delay before anything else', async () => {
    const { access_token } = await grant()
    const other = await grant('Scheduler', owner)
    sp.faults.next('users.get', { delay: '1h', user: member })
    const ended: string[] = []
    const delayed = statusOf(meOf(access_token)).finally(() => ended.push('delayed'))
    expect(await statusOf(meOf(other.access_token))).toBe(200)
    expect(await statusOf(meOf(other.access_token))).toBe(200)
    // The delay is over when the faults are taken back.
    ended.push('clear')
    sp.faults.clear()
    expect(await delayed).toBe(200)
    expect(ended).toEqual(['clear', 'delayed'])
  })
})

describe('the order', () => {
  const series = async (double: Double, count: number) => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) {
      statuses.push((await fetch(`${double.url}/oauth/token`, { method: 'POST' })).status)
    }
    return statuses
  }

  test('is that of registration, and a fault lasts for its times or until it is cleared', async () => {
    sp.faults.next('oauth.token', { status: 503, times: 2 })
    sp.faults.next('POST /oauth/token', { status: 429, times: 'always' })
    expect(await series(sp, 4)).toEqual([503, 503, 429, 429])
    sp.faults.clear()
    expect(await series(sp, 1)).toEqual([401])
  })

  test('of a chance is the same for the same seed, in any double', async () => {
    await using other = await createSkillpass()
    const drawn = async (double: Double, seed: number) => {
      double.faults.clear()
      double.faults.next('oauth.token', { status: 503, chance: 0.5, seed })
      return series(double, 20)
    }
    const first = await drawn(sp, 1)
    expect(first).toContain(503)
    expect(first).toContain(401)
    expect(await drawn(other, 1)).toEqual(first)
    expect(await drawn(other, 2)).not.toEqual(first)
    sp.faults.clear()
  })
})

test.each([
  ['POST /oauth/tokn', {}, 'There is no route "POST /oauth/tokn". Did you mean POST /oauth/token'],
  ['POST /sing-in', {}, 'Did you mean POST /sign-in'],
  [
    'oauth.token',
    { error: 'invalid_grnt' },
    'has no error "invalid_grnt". Did you mean invalid_gr',
  ],
  ['oauth.token', { error: 'rate_limited' }, 'has no error "rate_limited".'],
  ['oauth.token', { hang: true as const, status: 500 }, 'exclude each other'],
  ['oauth.token', { status: 400, error: 'invalid_grant' }, 'exclude each other'],
  ['oauth.token', { retryAfter: 5 }, 'retryAfter needs a status or an error.'],
  ['oauth.token', { user: member }, 'POST /oauth/token is not called for a user.'],
  ['skills.search', { app: 'Scheduler' }, 'is not called by an app.'],
  ['oauth.token', { app: 'Nobody' }, 'The seed has no app "Nobody".'],
  ['oauth.token', { status: 200 }, 'status must be at least 400'],
])('a fault of %s with %j is refused, because no request can meet it', (route, fault, reason) => {
  expect(() => sp.faults.next(route, fault)).toThrow(reason)
})
