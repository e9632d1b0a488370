import { type RouteMetadata, registryContract } from '@skillpass/contract'
import { migrateDown } from '@skillpass/server/db/migrations/migrate'
import { loadCatalogue } from '@skillpass/server/discovery/open'
import { listRoutes } from '@skillpass/server/http/endpoints'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../support/bundles.ts'
import { filledAddress, queryOf, standsAtAddress } from '../support/registry-calls.ts'
import { startTestServer, type TestAgent, type TestServer } from '../support/server.ts'
import { keyRegistration, makeSigningKey } from '../support/signing.ts'
import {
  ask,
  type Call,
  expectError,
  nobody,
  publish,
  type Skill,
  serverForTest,
  unique,
} from '../support/skills.ts'
import { words } from '../support/words.ts'

/** Bodies that make a valid call of every route. */
const bodies: Record<string, unknown> = {
  'POST /api/v1/agents/register': { username: 'newcomer' },
  'POST /api/v1/api-keys': { name: 'x' },
  'POST /api/v1/repos': { name: 'x' },
  'POST /api/v1/skills': { name: 'x', slug: 'x' },
  'POST /api/v1/skills/parse': { readme: 'x' },
  'PUT /api/v1/skills/:id': { name: 'x' },
  'POST /api/v1/skills/:id/feedback': { task: 'x', helpful: true },
  'POST /api/v1/skills/:id/report': { reason: 'spam' },
  'POST /api/v1/skills/:id/answer': { version: 1, text: 'x' },
  'PUT /api/v1/blobs/:sha256': 'bytes',
  'POST /api/v1/agents/me/verifications': { method: 'file', owner: 'nobody', repo: 'none' },
}
const signingKey = makeSigningKey()

interface RouteCall {
  name: string
  /** The class of its rate limit. */
  limit: string
  send(call?: Call): Promise<Response>
}

/** Routes that answer without the database. */
const fromMemory =
  /(?:search|resolve|parse|trending|\/stats|GET \/\.well-known\/\S+|\/clawhub\/\S+(?:slug|download))$/

/** The status of a route that finds its skill. */
const answerOf = ({ name }: RouteCall) => (name.endsWith('/download') ? 308 : 200)

function callsOf(server: TestServer, agent: TestAgent, skill: Skill): RouteCall[] {
  return listRoutes(registryContract).map(({ method, path, metadata }) => {
    const name = `${method} ${path}`
    const ids = { agents: agent.id, 'api-keys': nobody, repos: skill.repo.id }
    const [, id] = Object.entries(ids).find(([noun]) => path.includes(noun)) ?? ['', skill.id]
    const body = name.endsWith('/signing-key')
      ? keyRegistration(agent.username, signingKey)
      : bodies[name]
    const target = standsAtAddress(path)
      ? filledAddress(path, skill)
      : path.replace(':id', id).replace(':sha256', sha256('bytes'))
    return {
      name,
      limit: (metadata as RouteMetadata).limit,
      send: (call = {}) =>
        ask(server, method, target + queryOf(path, skill), {
          key: agent.apiKey,
          ...(body === undefined ? {} : { body }),
          ...call,
        }),
    }
  })
}

/** Expects an error of the contract that reveals no internals. */
async function expectFault(call: RouteCall, status: 500 | 503) {
  const response = await call.send()
  const text = await response.clone().text()
  expect(`${call.name} ${response.status}`).toBe(`${call.name} ${status}`)
  expect(text).not.toMatch(
    /select |insert |update |sqlite|postgres|relation|\.ts|\.js|at \w+ \(|stack/i,
  )
  if (status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  if (call.name.endsWith('/health')) {
    expect(JSON.parse(text)).toMatchObject({ status: 'unavailable', version: '0.2.0' })
  } else {
    await expectError(response, status === 500 ? 'INTERNAL' : 'UNAVAILABLE')
  }
}

/** A new server on the database, which has no readme in memory yet. */
async function restarted(before: TestServer) {
  await before.stop()
  return serverForTest({ database: before.database, clock: before.clock })
}

describe('faults of the database', async () => {
  const first = await startTestServer()
  const agent = await first.agent('author')
  const skill = await publish(agent, { slug: 'skill', name: 'skill', readme: 'skill' })

  test('a damaged row is INTERNAL on every route that shows it, and on no other', async () => {
    const server = await restarted(first)
    const { db, catalogue } = server.ctx
    const agents = { ...agent, client: server.clientFor(agent.apiKey) }
    const calls = callsOf(server, agents, skill)
    // A time that no date can hold, and a negative count, as a damaged file may contain.
    const damage = { created_at: 9e15, fetch_count: -1 }
    const { created_at, fetch_count } = await db.read
      .selectFrom('skills')
      .select(['created_at', 'fetch_count'])
      .where('id', '=', skill.id)
      .executeTakeFirstOrThrow()
    const write = async (columns: typeof damage) => {
      await db.write((trx) =>
        trx.updateTable('skills').set(columns).where('id', '=', skill.id).execute(),
      )
      await loadCatalogue({ db, catalogue })
    }
    await write(damage)
    const shown = words('v1/skills/search skills/resolve trending /stats agents/:id skills/:id')
    const hit = calls.filter(
      ({ name }) => name.startsWith('GET') && shown.some((end) => name.endsWith(end)),
    )
    expect(hit.length).toBe(6)
    for (const call of hit) await expectFault(call, 500)
    for (const path of [
      '/api/v1/health',
      '/api/v1/agents/me',
      `/api/v1/skills/${skill.id}/versions`,
    ]) {
      expect((await ask(server, 'GET', path, { key: agent.apiKey })).status).toBe(200)
    }
    await write({ created_at, fetch_count })
    for (const call of hit) expect((await call.send()).status).toBe(200)
  })

  test('missing tables are INTERNAL on every route that asks the database', async () => {
    const server = await serverForTest({ database: first.database, clock: first.clock })
    const calls = callsOf(server, agent, skill)
    while (await migrateDown(server.ctx.db)) {}
    for (const call of calls) {
      if (fromMemory.test(call.name) || call.name.endsWith('/health')) {
        expect((await call.send()).status).toBe(answerOf(call))
      } else {
        await expectFault(call, 500)
      }
    }
  })

  test('a closed database is UNAVAILABLE with Retry-After on every route that asks it, and on no other', async () => {
    const before = await serverForTest()
    const owner = await before.agent('author')
    const kept = await publish(owner, { slug: 'skill', name: 'skill', readme: unique('kept') })
    const server = await restarted(before)
    const calls = callsOf(server, owner, kept)
    await server.ctx.db.close()
    for (const call of calls) {
      if (fromMemory.test(call.name)) {
        expect(`${call.name} ${(await call.send()).status}`).toBe(`${call.name} ${answerOf(call)}`)
      } else {
        await expectFault(call, 503)
      }
    }
    await expectError(server.http(`/api/v1/skills/${nobody}/stats`), 'UNAVAILABLE')
    expect((await server.http('/health/ready')).status).toBe(503)
    expect((await server.http('/health/live')).status).toBe(200)
  })
})

describe('rate limits of all routes', async () => {
  const env = {
    RATE_LIMIT_READS_PER_MINUTE: '1',
    RATE_LIMIT_DOWNLOADS_PER_MINUTE: '1',
    RATE_LIMIT_WRITES_PER_MINUTE: '1',
    RATE_LIMIT_REGISTRATIONS_PER_HOUR: '1',
  }
  const server = await startTestServer({ env })
  const agent = await server.agent('author')
  const skill = await publish(agent, { slug: 'skill', name: 'skill' })

  test.each(callsOf(server, agent, skill).map((call) => [call.name, call] as const))(
    '%s answers RATE_LIMITED beyond the limit that it declares',
    async (_, call) => {
      server.clock.advance(3_600_000)
      const again = call.name.endsWith('/health') || call.limit === 'upload' ? 60 : 1
      for (let i = 0; i < again; i++) expect((await call.send()).status).not.toBe(429)
      const { headers, retryAfter } = await expectError(call.send(), 'RATE_LIMITED')
      expect(headers.get('retry-after')).toBe(String(retryAfter))
      expect(headers.get('ratelimit-policy')).toContain(`"${call.limit}";`)
    },
  )
})
