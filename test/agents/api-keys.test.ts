import { NotFoundError } from '@skillpass/client'
import { expect, test } from 'vitest'
import { idsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, nobody } from '../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('holder')
const { apiKeys } = agent.client.registry
const create = async (name: string) => (await apiKeys.create({ body: { name } })).data
const find = async (id: string) => (await apiKeys.list()).data.find((key) => key.id === id)

test('API keys are listed newest first, down to the one from the registration, without secrets', async () => {
  const owner = await server.agent('list')
  const { apiKeys } = owner.client.registry
  server.clock.advance(1000)
  const one = await apiKeys.create({ body: { name: 'one' } })
  server.clock.advance(1000)
  const two = await apiKeys.create({ body: { name: 'two' } })
  const { data, total } = await apiKeys.list()
  expect(total).toBe(3)
  expect(idsOf(data).slice(0, 2)).toEqual([two.data.id, one.data.id])
  expect(data[2]?.keyPrefix).toBe(owner.apiKey.slice(0, data[2]?.keyPrefix.length))
  const text = JSON.stringify(data)
  for (const key of [owner.apiKey, one.data.key, two.data.key]) expect(text).not.toContain(key)
})

test('an API key shows its last use', async () => {
  const key = await create('used')
  expect(await find(key.id)).toMatchObject({ lastUsedAt: null, revokedAt: null })
  server.clock.advance(60_000)
  const usedAt = new Date(server.clock.now()).toISOString()
  await server.clientFor(key.key).registry.agents.me()
  await server.ctx.counters.flush()
  expect((await find(key.id))?.lastUsedAt).toBe(usedAt)
})

test("revoking another agent's key, an unknown id or a malformed one is NOT_FOUND", async () => {
  const other = await server.agent('other')
  const key = await create('mine')
  const revoke = other.client.registry.apiKeys.revoke({ params: { id: key.id } })
  await expect(revoke).rejects.toThrow(NotFoundError)
  for (const id of [key.id, nobody, 'x', '1']) {
    const call = { key: other.apiKey }
    await expectError(ask(server, 'DELETE', `/api/v1/api-keys/${id}`, call), 'NOT_FOUND')
  }
  expect((await find(key.id))?.revokedAt).toBeNull()
})
