import { text } from 'node:stream/consumers'
import { createSkillpass, type Double, type Seed } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { serveHttp } from '../support/http-server.ts'
import { basic } from '../support/oauth-client.ts'
import { validating } from '../support/receiver.ts'

/*
 * Five small applications, each with and without a bug that live services hide, and for each a test
 * that finds the bug.
 */

const nina = 'nina@acme.test'
const credentials = { clientId: 'scheduler', clientSecret: 'secret-of-scheduler' }
const secretToken = 'token-of-scheduler'
const seed = {
  accounts: [{ name: 'Acme', users: [{ email: nina, role: 'owner' }] }],
  apps: [
    {
      ...{ name: 'Scheduler', account: 'Acme', type: 'general', secretToken },
      scopes: [
        ...['user:read:user', 'meeting:read:meeting', 'meeting:read:list_meetings'],
        'meeting:write:meeting',
      ],
      redirectUris: ['http://localhost:8090/callback'],
      production: credentials,
      events: ['meeting.created'],
    },
  ],
  tokens: [{ app: 'Scheduler', user: nina, name: 'nina' }],
} satisfies Seed

/** Whether an application has its bug or not. */
type Version = 'buggy' | 'mended'

const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })

async function refreshTokens(url: string, refreshToken: string) {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: basic(credentials) },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  })
  const { access_token, refresh_token } = await response.json()
  return { accessToken: access_token, refreshToken: refresh_token }
}

/** Reads the user's email, and refreshes the token before. */
function createProfile({ url, seeded }: Double, version: Version) {
  let refreshToken = seeded.tokens.nina?.refreshToken ?? ''
  return {
    async email() {
      const tokens = await refreshTokens(url, refreshToken)
      // Each refresh token works once.
      if (version === 'mended') refreshToken = tokens.refreshToken
      const me = await fetch(`${url}/v2/users/me`, { headers: bearer(tokens.accessToken) })
      return (await me.json()).email
    },
  }
}

async function findsLostRotation(version: Version) {
  await using sp = await createSkillpass({ seed })
  const app = createProfile(sp, version)
  expect(await app.email()).toBe(nina)
  await sp.clock.advance('1h')
  expect(await app.email()).toBe(nina)
}

/** Reads the user's email with a stored token, which it renews in time. */
function createCachedProfile({ url, seeded }: Double, version: Version) {
  let { accessToken = '', refreshToken = '' } = seeded.tokens.nina ?? {}
  const expiresAt = Date.now() + 3_600_000
  const get = () => fetch(`${url}/v2/users/me`, { headers: bearer(accessToken) })
  const refresh = async () => {
    ;({ accessToken, refreshToken } = await refreshTokens(url, refreshToken))
  }
  return {
    async email() {
      if (Date.now() >= expiresAt) await refresh()
      let response = await get()
      // The clocks of two machines differ.
      if (response.status === 401 && version === 'mended') {
        await refresh()
        response = await get()
      }
      return (await response.json()).email
    },
  }
}

async function findsTrustInClock(version: Version) {
  await using sp = await createSkillpass({ seed })
  const app = createCachedProfile(sp, version)
  // Now the clock of the app is an hour slow.
  await sp.clock.advance('1h')
  expect(await app.email()).toBe(nina)
}

/** Reads the user's email, and repeats what is refused. */
function createPatientProfile(
  { url, seeded }: Double,
  version: Version,
  wait: (ms: number) => Promise<unknown>,
) {
  const headers = bearer(seeded.tokens.nina?.accessToken)
  return {
    async email(): Promise<unknown> {
      const response = await fetch(`${url}/v2/users/me`, { headers })
      if (response.status !== 429) return (await response.json()).email
      if (version === 'mended') await wait(Number(response.headers.get('retry-after')) * 1000)
      return this.email()
    },
  }
}

async function findsImpatience(version: Version) {
  await using sp = await createSkillpass({ seed })
  sp.clock.freeze()
  sp.faults.next('GET /v2/users/me', { status: 429, retryAfter: 30 })
  const app = createPatientProfile(sp, version, sp.clock.advance)
  expect(await app.email()).toBe(nina)
  const [refused, repeated] = sp.requests().map(({ at }) => Date.parse(at))
  expect(repeated).toBe(Number(refused) + 30_000)
}

/** Lists the topics of created meetings. */
async function startList(version: Version) {
  const handled = new Set<unknown>()
  const topics: string[] = []
  const { url } = await serveHttp(async (request, response) => {
    const [{ headers }, body] = [request, await text(request)]
    const event = JSON.parse(body)
    if (event.event === 'endpoint.url_validation') {
      return validating(secretToken)(response, { path: '/', headers, body, event })
    }
    const isNew = !handled.has(headers['webhook-id'])
    handled.add(headers['webhook-id'])
    if (isNew || version === 'buggy') topics.push(event.payload.object.topic)
    response.writeHead(204).end()
  })
  return { url, topics }
}

async function findsRepeatedHandling(version: Version) {
  const app = await startList(version)
  const apps = seed.apps.map((one) => ({ ...one, deauthorizationUrl: `${app.url}/` }))
  await using sp = await createSkillpass({ seed: { ...seed, apps } })
  sp.webhooks.hold()
  await createScheduler(sp, version).schedule('Planning')
  await sp.webhooks.release({ copies: 2 })
  expect(app.topics).toEqual(['Planning'])
}

/** Creates meetings, also when the network fails. */
function createScheduler({ url, seeded }: Double, version: Version) {
  const authorization = bearer(seeded.tokens.nina?.accessToken)
  const headers = { ...authorization, 'content-type': 'application/json' }
  const address = `${url}/v2/users/me/meetings`
  return {
    async schedule(topic: string): Promise<void> {
      try {
        await fetch(address, { method: 'POST', headers, body: JSON.stringify({ topic }) })
      } catch {
        // The platform may have created the meeting before the connection was cut.
        const { meetings } = await (await fetch(address, { headers })).json()
        const exists = meetings.some((meeting: { topic: string }) => meeting.topic === topic)
        if (!exists || version === 'buggy') await this.schedule(topic)
      }
    },
  }
}

async function findsSecondMeeting(version: Version) {
  await using sp = await createSkillpass({ seed })
  sp.faults.next('meetings.create', { cut: 'after' })
  await createScheduler(sp, version).schedule('Planning')
  const { platform } = sp.client({ token: 'nina' })
  const { meetings } = await platform.meetings.list({ params: { userId: 'me' } })
  expect(meetings.map(({ topic }) => topic)).toEqual(['Planning'])
}

test.each([
  ['loses a rotated refresh token', findsLostRotation],
  ['trusts its clock to know when a token expires', findsTrustInClock],
  ['does not wait after 429', findsImpatience],
  ['handles an event twice that is sent twice', findsRepeatedHandling],
  ['repeats a request whose connection was cut after the commit', findsSecondMeeting],
])('a test of few lines finds an app that %s', async (_, findBug) => {
  await expect(findBug('buggy')).rejects.toThrow(/^expected .* to /)
  await findBug('mended')
})
