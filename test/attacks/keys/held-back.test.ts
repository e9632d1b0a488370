import type { Db } from '@skillpass/server/testing'
import { expect, test, vi } from 'vitest'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { keyRegistration, makeSigningKey } from '../../support/signing.ts'
import { ask, expectError, publish } from '../../support/skills.ts'
import { until } from '../../support/waiting.ts'

type Write = readonly [method: string, path: string, body?: object]

const server = await startTestServer()
const other = await server.agent('other')
const target = await publish(other)

/** Sends requests and waits until the server has accepted the key of each. */
async function letIn<T>(count: number, send: () => T): Promise<T> {
  const uses = vi.spyOn(server.ctx.counters, 'keyUsed')
  try {
    const sent = send()
    await until('the keys of all requests are accepted', () => uses.mock.calls.length === count)
    return sent
  } finally {
    uses.mockRestore()
  }
}

/** Sends a request without the last byte of its body. `finish` sends that byte. */
function hold(key: string, [method, path, body]: Write) {
  const bytes = Buffer.from(JSON.stringify(body ?? {}))
  const stream = new TransformStream<Uint8Array, Uint8Array>()
  const writer = stream.writable.getWriter()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = { method, headers, body: stream.readable, duplex: 'half' }
  const response = server.http(path, init)
  void writer.write(bytes.subarray(0, -1))
  const finish = async () => {
    await writer.write(bytes.subarray(-1))
    await writer.close()
    return response
  }
  return { name: `${method} ${path}`, finish }
}

/** Every write of the registry that has a body. */
const writesOf = async (agent: TestAgent): Promise<Write[]> => {
  const own = await publish(agent)
  const domain = { method: 'dns', owner: agent.username, domain: 'late.example' }
  const registration = keyRegistration(agent.username, makeSigningKey())
  return [
    ['POST', '/api/v1/skills', { name: 'Late', slug: 'late', readme: '# curl evil | sh' }],
    ['PUT', `/api/v1/skills/${own.id}`, { readme: '# Changed' }],
    ['POST', `/api/v1/skills/${target.id}/feedback`, { task: 'x', helpful: false }],
    ['POST', `/api/v1/skills/${target.id}/report`, { reason: 'spam', text: 'Look.' }],
    ['PUT', '/api/v1/agents/me/signing-key', registration],
    ['POST', '/api/v1/agents/me/verifications', domain],
    ['POST', '/api/v1/api-keys', { name: 'late' }],
  ]
}

/** Every write of the registry without a body. */
const bareWritesOf = async (agent: TestAgent): Promise<Write[]> => {
  const own = await publish(agent)
  const { data: spare } = await agent.client.registry.apiKeys.create({ body: { name: 'spare' } })
  return [
    ['DELETE', `/api/v1/skills/${own.id}`],
    ['POST', `/api/v1/skills/${target.id}/star`],
    ['DELETE', `/api/v1/skills/${target.id}/star`],
    ['DELETE', `/api/v1/api-keys/${spare.id}`],
    ['DELETE', '/api/v1/api-keys'],
  ]
}

/** Starts writes, runs `end`, and then sends the rest of their bodies. */
async function holdAll(agent: TestAgent, key: string, end: () => Promise<unknown>) {
  const writes = await writesOf(agent)
  const before = await traceOf(agent)
  const held = await letIn(writes.length, () => writes.map((write) => hold(key, write)))
  await end()
  const responses = await Promise.all(
    held.map(async ({ name, finish }) => ({ name, response: await finish() })),
  )
  expect(await traceOf(agent)).toEqual(before)
  return responses
}

/** Sends all writes while the transaction of `end` is uncommitted. */
async function meetAll(agent: TestAgent, key: string, end: (trx: Db) => Promise<unknown>) {
  const writes = [...(await writesOf(agent)), ...(await bareWritesOf(agent))]
  const before = await traceOf(agent)
  let sent: Promise<Response>[] = []
  await server.ctx.db.write(async (trx) => {
    // Locks the agent on Postgres.
    await trx.updateTable('agents').set({ id: agent.id }).where('id', '=', agent.id).execute()
    await end(trx)
    sent = await letIn(writes.length, () =>
      writes.map(([method, path, body]) =>
        ask(server, method, path, { key, ...(body ? { body } : {}) }),
      ),
    )
  })
  const responses = await Promise.all(sent)
  expect(await traceOf(agent)).toEqual(before)
  return responses
}

/** Returns everything that the agent has written. */
function traceOf({ id }: TestAgent) {
  const { read } = server.ctx.db
  const mine = ['skills', 'stars', 'feedback', 'reports', 'verifications'] as const
  const rows = mine.map((table) =>
    read.selectFrom(table).selectAll().where('agent_id', '=', id).execute(),
  )
  const signing = read.selectFrom('signing_keys').selectAll().where('agent_id', '=', id).execute()
  return Promise.all([...rows, signing])
}

test('a write whose body arrives after its key was revoked changes nothing', async () => {
  const agent = await server.agent('leaked')
  const { apiKeys } = agent.client.registry
  const { data } = await apiKeys.create({ body: { name: 'leaked' } })
  const end = () => apiKeys.revoke({ params: { id: data.id } })
  for (const { name, response } of await holdAll(agent, data.key, end)) {
    expect(`${name} ${response.headers.get('www-authenticate')}`).toContain('Bearer realm')
    await expectError(response, 'UNAUTHORIZED')
  }
  const live = (await apiKeys.list()).data.filter(({ revokedAt }) => revokedAt === null)
  expect(live).toHaveLength(1)
})

test('a write by a blocked agent changes nothing, even if its body arrives late, and states the reason', async () => {
  const agent = await server.agent('villain')
  const later = [...(await writesOf(agent)), ...(await bareWritesOf(agent))]
  const end = () => server.moderate('agent block', agent.username, 'It is evil.')
  for (const { response } of await holdAll(agent, agent.apiKey, end)) {
    expect((await expectError(response, 'FORBIDDEN')).message).toContain('It is evil.')
  }
  for (const [method, path, body] of later) {
    const response = ask(server, method, path, { key: agent.apiKey, body })
    expect((await expectError(response, 'FORBIDDEN')).message).toContain('It is evil.')
  }
  await expectError(ask(server, 'GET', `/${agent.username}/skills/late?format=md`), 'NOT_FOUND')
})

test('a write waits for an uncommitted revocation of its key and then changes nothing', async () => {
  const agent = await server.agent('racer')
  const { data } = await agent.client.registry.apiKeys.create({ body: { name: 'leaked' } })
  const end = (trx: Db) => {
    const revocation = trx.updateTable('api_keys').set({ revoked_at: server.clock.now() })
    return revocation.where('id', '=', data.id).execute()
  }
  for (const response of await meetAll(agent, data.key, end)) {
    await expectError(response, 'UNAUTHORIZED')
  }
})
