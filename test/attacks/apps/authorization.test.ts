import { listRoutes, oauthContract, type RouteMetadata } from '@skillpass/contract'
import { beforeEach, expect, test } from 'vitest'
import { password as userPassword } from '../../support/apps.ts'
import { named } from '../../support/contract.ts'
import {
  type Answer,
  authorizeQuery,
  basic,
  member,
  read,
  startOAuthServer,
  type Tokens,
} from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'

/**
 * Statuses for the app that owns a token and for another app, and the parameters that contain the
 * token.
 */
type Expectation = [
  owner: number,
  foreign: number,
  query?: (tokens: Tokens) => Record<string, string>,
]

/** Every route. A new route must be added here. */
const expectations: Record<string, Expectation> = {
  'GET /oauth/authorize': [302, 302],
  'GET /.well-known/oauth-authorization-server': [200, 200],
  'POST /oauth/token': [
    200,
    400,
    ({ refresh_token }) => ({ grant_type: 'refresh_token', refresh_token }),
  ],
  'POST /oauth/devicecode': [200, 200],
  'POST /oauth/revoke': [200, 400, ({ access_token }) => ({ token: access_token })],
  // The requests have no body.
  'POST /oauth/register': [400, 400],
  'POST /oauth/introspect': [200, 200, ({ access_token }) => ({ token: access_token })],
}

const routes = listRoutes(oauthContract)

/** The credentials of a request. */
interface Attempt {
  headers?: Record<string, string>
  query?: Record<string, string>
}

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const stranger = server.app('Stranger')
const apiKey = (await server.agent()).apiKey
const session = await signIn(server, { email: member, password: userPassword })
const foreign = (await startOAuthServer()).app('Scheduler')

beforeEach(() => server.clock.advance(60_001))

const authorization = (value: string): Attempt => ({ headers: { Authorization: value } })
const bearer = (text: string) => authorization(`Bearer ${text}`)
const password = (clientSecret: string) => authorization(basic({ ...scheduler, clientSecret }))

/** Credentials that do not authenticate an app. */
const badClients: Record<string, (tokens: Tokens) => Attempt> = {
  'no credential': () => ({}),
  garbage: () => authorization('garbage'),
  'the id alone': () => ({ query: { client_id: scheduler.clientId } }),
  'a wrong secret': () => password('wrong'),
  "another app's secret": () => password(stranger.clientSecret),
  'a secret of another server': () => password(foreign.clientSecret),
  'the access token as password': (tokens) => password(tokens.access_token),
  'an API key as password': () => password(apiKey),
  'the access token as Bearer': (tokens) => bearer(tokens.access_token),
  'the client secret as Bearer': () => bearer(scheduler.clientSecret),
  'the session of a user': () => ({ headers: { Cookie: session.cookie() } }),
}

const send = (name: string, tokens: Tokens, attempt: Attempt): Promise<Answer> => {
  const [method = '', path = ''] = name.split(' ')
  const query = new URLSearchParams({ ...expectations[name]?.[2]?.(tokens), ...attempt.query })
  const target = path.endsWith('authorize')
    ? `${path}?${authorizeQuery(scheduler)}`
    : `${path}?${query}`
  const headers = attempt.headers ?? {}
  return read(server.http(target, { method, headers }))
}

const expectAlive = async (tokens: Tokens) => {
  const parameters = { token: tokens.refresh_token }
  const alive = await server.post('/oauth/introspect', parameters, { app: scheduler })
  expect(alive.body.active).toBe(true)
}

const expectNoSecret = ({ text }: Answer, { access_token, refresh_token }: Tokens) => {
  for (const secret of [apiKey, access_token, refresh_token, scheduler.clientSecret]) {
    expect(text).not.toContain(secret)
  }
}

test.each(named(routes))('%s accepts only its declared authentication', async (name, route) => {
  const [ofOwner, ofForeign] = expectations[name] ?? []
  const { auth } = route.metadata as RouteMetadata
  const tokens = await server.grantOf(scheduler)
  for (const [kind, make] of Object.entries(badClients)) {
    const attempt = make(tokens)
    const response = await send(name, tokens, attempt)
    // With a session, the authorization endpoint shows the consent page.
    const isConsent = name === 'GET /oauth/authorize' && kind === 'the session of a user'
    const status = isConsent ? 200 : auth === 'none' ? ofOwner : 401
    expect(`${kind}: ${response.status}`).toBe(`${kind}: ${status}`)
    expectNoSecret(response, tokens)
    if (auth === 'none') continue
    const isBasic = attempt.headers?.Authorization?.startsWith('Basic ') === true
    const scheme = response.headers.get('www-authenticate')
    expect(scheme).toBe(isBasic ? 'Basic realm="skillpass"' : null)
    await expectAlive(tokens)
    // Failures of an app count for a minute.
    server.clock.advance(60_001)
  }
  const fresh = await server.grantOf(scheduler)
  const foreign = await send(name, fresh, authorization(basic(stranger)))
  expect(`a stranger: ${foreign.status}`).toBe(`a stranger: ${ofForeign}`)
  if (name.endsWith('introspect')) expect(foreign.body).toEqual({ active: false })
  const owner = await send(name, fresh, authorization(basic(scheduler)))
  expect(`the owner: ${owner.status}`).toBe(`the owner: ${ofOwner}`)
})
