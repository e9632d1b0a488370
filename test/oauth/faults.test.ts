import {
  oauthContract,
  oauthErrors,
  platformContract,
  platformErrors,
  type RouteMetadata,
  scopeCatalogue,
} from '@skillpass/contract'
import { migrateDown } from '@skillpass/server/db/migrations/migrate'
import { listRoutes } from '@skillpass/server/http/endpoints'
import { describe, expect, test } from 'vitest'
import { serverApp } from '../support/apps.ts'
import {
  type Answer,
  authorizeQuery,
  basic,
  type OAuthServer,
  oauthServerForTest,
  read,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'
import { platformCalls } from '../support/platform-calls.ts'

interface RouteCall {
  name: string
  /** Whether every call counts; elsewhere wrong secrets do. */
  isLimited: boolean
  declared: string[]
  send(): Promise<Answer>
}

let count = 0
const nothing = { appId: '00000000-0000-4000-8000-000000000000', meetingId: 10_000_000_000 }

type TokenOf = (route: { path: string }) => string

/** A call of every route that succeeds without the fault. */
function callsOf(server: OAuthServer, tokenOf: TokenOf): RouteCall[] {
  const app = server.app('Scheduler')
  const targets: Record<string, string> = {
    '/oauth/authorize': `?${authorizeQuery(app)}`,
    '/oauth/token': '?grant_type=refresh_token&refresh_token=x',
    '/oauth/devicecode': `?client_id=${app.clientId}`,
    '/oauth/revoke': '?token=x',
    '/oauth/introspect': '?token=x',
  }
  return listRoutes({ oauth: oauthContract, platform: platformContract }).map((route) => {
    const { method, path, responses, metadata } = route
    const call = platformCalls[`${method} ${path}`]
    const target = call ? call.path(nothing) : path + (targets[path] ?? '')
    const body = call?.body?.(`unique-${++count}`)
    const headers = {
      Authorization: call ? `Bearer ${tokenOf(route)}` : basic(app),
      ...(body ? { 'Content-Type': 'application/json' } : {}),
    }
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return {
      name: `${method} ${path}`,
      isLimited: (metadata as RouteMetadata).limit !== 'none',
      declared: Object.keys(responses),
      send: () => read(server.http(target, request)),
    }
  })
}

/** Checks that the answer is the error of its service in the contract, and shows no internals. */
async function expectFault({ name, send }: RouteCall, status: 500 | 503) {
  const answer = await send()
  expect(`${name} ${answer.status}`).toBe(`${name} ${status}`)
  expect(answer.text.replace(/<[^>]*>/g, '')).not.toMatch(
    /select |insert |update |sqlite|postgres|relation |\.ts\b|\.js\b|at \w+ \(|stack/i,
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  if (name.endsWith('/authorize')) {
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.text).not.toContain('Retry-After')
    if (status === 503) expect(answer.text).toContain('Try again in <strong>2 seconds</strong>')
    return
  }
  if (name.includes('/v2/')) {
    const { code, message } = platformErrors[status === 500 ? 'internal' : 'unavailable']
    expect(answer.body).toEqual({ code, message: withSeconds(message) })
    return
  }
  const row = oauthErrors[status === 500 ? 'server_error' : 'temporarily_unavailable']
  const { error, code, reason, description } = row
  const error_description = withSeconds(description)
  expect(answer.body).toEqual({ error, error_description, reason, code })
}

/** The message of the table has a placeholder for the seconds. */
const withSeconds = (text: string) => text.replace('Retry-After seconds', '2 seconds')

describe('database faults', () => {
  test.each([
    ['500 if its tables are missing', 500],
    ['503 with Retry-After if it is closed', 503],
  ] as const)('every route that reads the database answers %s', async (_, status) => {
    const server = await oauthServerForTest()
    const { access_token } = await server.grantOf(server.app('Scheduler'))
    const calls = callsOf(server, () => access_token)
    if (status === 503) await server.ctx.db.close()
    else {
      while (await migrateDown(server.ctx.db)) {}
    }
    for (const call of calls) {
      // A route without 500 does not read the database.
      if (call.declared.includes('500')) await expectFault(call, status)
      else expect(`${call.name} ${(await call.send()).status}`).toBe(`${call.name} 200`)
    }
  })

  test('a code or refresh token is not used up if its tokens cannot be stored', async () => {
    const server = await oauthServerForTest()
    const app = server.app('Scheduler')
    const code = await server.codeOf(app)
    const { refresh_token } = await server.grantOf(app)
    const rename = (from: string, to: string) =>
      server.ctx.db.write((trx) => trx.schema.alterTable(from).renameTo(to).execute())
    await rename('refresh_tokens', 'elsewhere')
    expect((await server.exchange(app, code)).status).toBe(500)
    await rename('elsewhere', 'refresh_tokens')
    await rename('access_tokens', 'elsewhere')
    expect((await server.refresh(app, refresh_token)).status).toBe(500)
    await rename('elsewhere', 'access_tokens')
    tokensOf(await server.exchange(app, code))
    tokensOf(await server.refresh(app, refresh_token))
  })
})

describe('rate limits', async () => {
  const scopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
  const env = {
    RATE_LIMIT_AUTHORIZE_PER_MINUTE: '1',
    RATE_LIMIT_RESOURCE_PER_MINUTE: '1',
    // Each test advances the clock by more than a minute.
    ACCESS_TOKEN_TTL_SECONDS: '86400',
  }
  const server = await startOAuthServer({ env }, { apps: [serverApp('Everything', scopes)] })
  const account = await server.ownTokenOf('Everything', 'Acme')
  const bot = tokensOf(
    await server.token(server.app('Helper bot'), { grant_type: 'client_credentials' }),
  )
  const calls = callsOf(server, ({ path }) =>
    path === '/v2/im/chat/messages' ? bot.access_token : account,
  )

  test.each(
    calls.filter(({ declared }) => declared.includes('429')).map((one) => [one.name, one] as const),
  )(
    '%s answers 429 beyond its limit, until Retry-After is over',
    async (name, { send, isLimited }) => {
      server.clock.advance(60_001)
      const { clientId } = server.app('Scheduler')
      const failing = () =>
        read(
          server.http(name.replace('POST ', ''), {
            method: 'POST',
            headers: { Authorization: basic({ clientId, clientSecret: 'wrong' }) },
          }),
        )
      if (isLimited) expect([401, 403, 429]).not.toContain((await send()).status)
      else for (let i = 0; i < 10; i++) expect(refusal(await failing())).toMatch(/ 4702$/)
      const again = isLimited ? send : failing
      const answer = await again()
      expect(answer.status).toBe(429)
      const wait = Number(answer.headers.get('retry-after'))
      server.clock.advance((wait - 1) * 1000)
      expect((await again()).status).toBe(429)
      server.clock.advance(1000)
      expect((await again()).status).not.toBe(429)
    },
  )
})
