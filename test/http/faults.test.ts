import { type RouteMetadata, returnsPage, scopeCatalogue } from '@skillpass/contract'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { serverApp } from '../support/apps.ts'
import { sha256 } from '../support/bundles.ts'
import { breach, nameOf, type Route, routes } from '../support/contract.ts'
import {
  type Answer,
  apiUrl,
  authorizeQuery,
  basic,
  type OAuthServer,
  oauthServerForTest,
  read,
  startOAuthServer,
  startSecondNode,
  tokensOf,
} from '../support/oauth-server.ts'
import { platformCalls } from '../support/platform-calls.ts'
import { filledAddress, isAddressRoute, queryOf } from '../support/registry-calls.ts'
import type { TestAgent } from '../support/server.ts'
import { keyRegistration, makeSigningKey } from '../support/signing.ts'
import { ask, nobody, publish, type Skill, unique } from '../support/skills.ts'
import { words } from '../support/words.ts'

const signingKey = makeSigningKey()

const resource = `${apiUrl}/v2/mcp`

/** A message to an MCP server. */
const ping = () => ({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Valid bodies for registry routes. */
const bodies: Record<string, (agent: TestAgent) => unknown> = {
  'POST /mcp': ping,
  'POST /:owner/mcp': ping,
  'POST /:owner/:repo/mcp': ping,
  'POST /oauth/register': () => ({ redirect_uris: ['http://127.0.0.1/'] }),
  'POST /api/v1/agents/register': () => ({ username: unique('newcomer') }),
  'POST /api/v1/api-keys': () => ({ name: 'x' }),
  'POST /api/v1/trusted-publishers': () => ({
    ...{ issuer: 'https://gitlab.com', repository: 'a/b', workflow: 'c.yml' },
  }),
  'POST /api/v1/repos': () => ({ name: 'x' }),
  'POST /api/v1/skills': () => ({ name: 'x', slug: 'x' }),
  'POST /api/v1/skills/parse': () => ({ readme: 'x' }),
  'POST /api/v1/skills/try': () => ({ skills: [{ readme: 'x' }], tasks: ['x'] }),
  'PUT /api/v1/skills/:id': () => ({ name: 'x' }),
  'POST /api/v1/skills/:id/feedback': () => ({ task: 'x', helpful: true }),
  'POST /api/v1/skills/:id/report': () => ({ reason: 'spam', text: 'Look.' }),
  'POST /api/v1/skills/:id/answer': () => ({ version: 1, text: 'x' }),
  'PUT /api/v1/blobs/:sha256': () => 'bytes',
  'PUT /api/v1/agents/me/signing-key': ({ username }) => keyRegistration(username, signingKey),
  'POST /api/v1/agents/me/verifications': () => ({ method: 'file', owner: 'nobody', repo: 'x' }),
}

interface RouteCall {
  name: string
  route: Route
  limit: RouteMetadata['limit']
  send(): Promise<Answer>
}

interface Callers {
  agent: TestAgent
  skill: Skill
  tokenOf: (path: string) => string
}

/** A request to every route that succeeds without a fault, or is 404 in the resource API. */
function callsOf(server: OAuthServer, { agent, skill, tokenOf }: Callers): RouteCall[] {
  const app = server.app('Scheduler')
  const queries: Record<string, string> = {
    '/.well-known/oauth-authorization-server': '',
    '/oauth/authorize': `?${authorizeQuery(app)}`,
    '/oauth/token': '?grant_type=refresh_token&refresh_token=x',
    '/oauth/devicecode': `?client_id=${app.clientId}`,
    '/oauth/revoke': '?token=x',
    '/oauth/introspect': '?token=x',
  }
  const { id: agents } = agent
  const ids = { agents, 'api-keys': nobody, 'trusted-publishers': nobody, repos: skill.repo.id }
  const registryTarget = (path: string) => {
    if (isAddressRoute(path)) return filledAddress(path, skill) + queryOf(path, skill)
    const [, id = skill.id] = Object.entries(ids).find(([noun]) => path.includes(noun)) ?? []
    return path.replace(':id', id).replace(':sha256', sha256('bytes')) + queryOf(path, skill)
  }
  // Without the token of an issuer, it queries nothing (agents/trusted-publishing.test.ts).
  const queried = routes.filter(({ path }) => path !== '/api/v1/trusted-publishing/token')
  return queried.map((route) => {
    const { method, path } = route
    const name = nameOf(route)
    const call = platformCalls[name]
    const send = (target: string, authorization: string, body?: unknown) =>
      read(ask(server, method, target, { headers: { authorization }, body }))
    return {
      name,
      route,
      limit: (route.metadata as RouteMetadata).limit,
      send: () => {
        if (call) {
          const target = call.path({ appId: nobody, meetingId: 10_000_000_000 })
          return send(target, `Bearer ${tokenOf(path)}`, call.body?.(unique('made')))
        }
        if (path === '/v2/mcp') return send(path, `Bearer ${tokenOf(path)}`, ping())
        const query = queries[path]
        if (query !== undefined) return send(path + query, basic(app))
        return send(registryTarget(path), `Bearer ${agent.apiKey}`, bodies[name]?.(agent))
      },
    }
  })
}

/** Registry routes that need no database. */
const fromMemory =
  /(?:search|resolve|parse|trending|\/stats|GET \/\.well-known\/\S+|\/clawhub\/\S+(?:slug|download))$/

const isHealth = ({ name }: RouteCall) => name.endsWith('/health')

const usesDatabase = ({ name, route }: RouteCall) =>
  !fromMemory.test(name) && '500' in route.responses

/** Expects an error of the contract that reveals no internals. */
async function expectFault(call: RouteCall, status: 500 | 503) {
  const { route, name } = call
  const { headers, text, ...answer } = await call.send()
  expect(`${name} ${answer.status}`).toBe(`${name} ${status}`)
  expect(text.replace(/<[^>]*>/g, ''), name).not.toMatch(
    /select |insert |update |sqlite|postgres|relation |\.ts\b|\.js\b|at \w+ \(|stack|Retry-After/i,
  )
  expect(headers.get('cache-control'), name).toBe('no-store')
  expect(headers.get('x-request-id'), name).toMatch(/^[\w-]{8,64}$/)
  if (status === 503) expect(Number(headers.get('retry-after')), name).toBeGreaterThan(0)
  if (isHealth(call)) expect(answer.body).toMatchObject({ status: 'unavailable' })
  else if (returnsPage(route)) expect(headers.get('content-type')).toMatch(/^text\/html/)
  else {
    const response = { status, type: 'application/json', text, path: route.path }
    expect(breach(undefined, response), name).toBeUndefined()
  }
}

/** Expects the call to succeed, as it does from memory. */
async function expectServed({ name, send }: RouteCall) {
  const served = name.endsWith('/download') ? 308 : 200
  expect(`${name} ${(await send()).status}`).toBe(`${name} ${served}`)
}

/** Starts a server with a skill, and a second node that has no readme in memory. */
async function start() {
  const env = { DYNAMIC_CLIENT_REGISTRATION: 'on' }
  const first = await oauthServerForTest({ env })
  const agent = await first.agent('author')
  const skill = await publish(agent, { slug: 'skill', name: 'skill', readme: unique('skill') })
  const { access_token: api } = await first.grantOf(first.app('Scheduler'))
  const { access_token: mcp } = await first.grantOf(first.app('Scheduler'), { resource })
  const server = await startSecondNode(first, env)
  return {
    server,
    agent,
    skill,
    calls: callsOf(server, { agent, skill, tokenOf: (path) => (path === '/v2/mcp' ? mcp : api) }),
  }
}

test('a damaged row returns INTERNAL on every route that shows it, and on no other', async () => {
  const { server, agent, skill, calls } = await start()
  const { db } = server.ctx
  // A time beyond the range of a date and a negative count simulate a damaged file.
  const damage = { created_at: 9e15, fetch_count: -1 }
  const sound = await db.read
    .selectFrom('skills')
    .select(['created_at', 'fetch_count'])
    .where('id', '=', skill.id)
    .executeTakeFirstOrThrow()
  const write = async (columns: typeof damage) => {
    await db.write(async (trx) => {
      const next = trx.updateTable('registry_revision').set(({ eb }) => ({
        revision: eb('revision', '+', 1),
      }))
      const { revision } = await next.returning('revision').executeTakeFirstOrThrow()
      const change = trx.updateTable('skills').set({ ...columns, revision })
      await change.where('id', '=', skill.id).execute()
    })
    await server.runJob('reading changes')
  }
  await write(damage)
  const shown = words('v1/skills/search skills/resolve trending /stats agents/:id skills/:id')
  const hit = calls.filter(
    ({ name }) => name.startsWith('GET') && shown.some((end) => name.endsWith(end)),
  )
  expect(hit).toHaveLength(6)
  for (const call of hit) await expectFault(call, 500)
  for (const path of ['health', 'agents/me', `skills/${skill.id}/versions`]) {
    expect((await ask(server, 'GET', `/api/v1/${path}`, { key: agent.apiKey })).status).toBe(200)
  }
  await write(sound)
  for (const call of hit) await expectServed(call)
})

test('an unexpected error of the database returns INTERNAL on every route that queries it', async () => {
  const { server, calls } = await start()
  const { db } = server.ctx
  const unexpected = () => Promise.reject(new Error('unexpected'))
  vi.spyOn(db, 'write').mockImplementation(unexpected)
  vi.spyOn(db.read.getExecutor(), 'executeQuery').mockImplementation(unexpected)
  for (const call of calls) {
    if (usesDatabase(call)) await expectFault(call, 500)
    else if (isHealth(call)) await expectFault(call, 503)
    else await expectServed(call)
  }
})

test('a closed database returns UNAVAILABLE on every route that queries it, and on no other', async () => {
  const { server, calls } = await start()
  await server.ctx.db.close()
  for (const call of calls) {
    if (usesDatabase(call) || isHealth(call)) await expectFault(call, 503)
    else await expectServed(call)
  }
  const statusOf = async (path: string) => (await server.http(path)).status
  expect(await statusOf(`/api/v1/skills/${nobody}/stats`)).toBe(503)
  expect(await statusOf('/health/ready')).toBe(503)
  expect(await statusOf('/health/live')).toBe(200)
})

test('a code or refresh token is not used up if its tokens cannot be stored', async () => {
  const server = await oauthServerForTest()
  const app = server.app('Scheduler')
  const code = await server.codeOf(app)
  const { refresh_token } = await server.grantOf(app)
  const run = (statement: string) => server.ctx.db.write((trx) => sql.raw(statement).execute(trx))
  /** Lets a table have no second row. */
  const limit = (table: string) => run(`create unique index one_row on ${table} ((1))`)
  await limit('refresh_tokens')
  expect((await server.exchange(app, code)).status).toBe(500)
  await run('drop index one_row')
  await limit('access_tokens')
  expect((await server.refresh(app, refresh_token)).status).toBe(500)
  await run('drop index one_row')
  tokensOf(await server.exchange(app, code))
  tokensOf(await server.refresh(app, refresh_token))
})

const scopes = scopeCatalogue.flatMap(({ scope, level }) => (level === 'admin' ? [scope] : []))
const env = {
  RATE_LIMIT_READS_PER_MINUTE: '1',
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: '1',
  RATE_LIMIT_WRITES_PER_MINUTE: '1',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '1',
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: '1',
  DYNAMIC_CLIENT_REGISTRATION: 'on',
  RATE_LIMIT_RESOURCE_PER_MINUTE: '1',
  // Each test advances the clock by more than a minute.
  ACCESS_TOKEN_TTL_SECONDS: '86400',
}
const server = await startOAuthServer({ env }, { apps: [serverApp('Everything', scopes)] })
const agent = await server.agent('author')
const skill = await publish(agent, { slug: 'skill', name: 'skill' })
const account = await server.ownTokenOf('Everything', 'Acme')
const tokens: Record<string, string> = {
  '/v2/im/chat/messages': await server.botTokenOf('Helper bot'),
  '/v2/mcp': await server.ownTokenOf('Everything', 'Acme', { resource }),
}
const tokenOf = (path: string) => tokens[path] ?? account
const limited = callsOf(server, { agent, skill, tokenOf })
  .filter(({ route }) => '429' in route.responses)
  .map((call) => [call.name, call] as const)

test.each(limited)('%s returns 429 beyond its limit until Retry-After passes', async (_, call) => {
  const { limit, route } = call
  server.clock.advance(limit === 'registration' ? 3_600_000 : 60_001)
  // Routes without a request limit have a limit of wrong secrets.
  const authorization = basic({ ...server.app('Scheduler'), clientSecret: 'wrong' })
  const failing = () => read(ask(server, 'POST', route.path, { headers: { authorization } }))
  const send = limit === 'none' ? failing : call.send
  const free = limit === 'none' ? 10 : isHealth(call) || limit === 'upload' ? 60 : 1
  const refused = limit === 'none' ? [429] : [401, 403, 429]
  for (let i = 0; i < free; i++) expect(refused).not.toContain((await send()).status)
  const { status, headers, text } = await send()
  expect(status).toBe(429)
  const type = headers.get('content-type') ?? ''
  expect(breach(route, { status, type, text })).toBeUndefined()
  if (limit !== 'none') expect(headers.get('ratelimit-policy')).toContain(`"${limit}";`)
  const wait = Number(headers.get('retry-after'))
  server.clock.advance((wait - 1) * 1000)
  expect((await send()).status).toBe(429)
  server.clock.advance(1000)
  expect((await send()).status).not.toBe(429)
})
