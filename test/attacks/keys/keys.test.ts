import { ConflictError, ForbiddenError, UnauthorizedError } from '@skillpass/client'
import type { KeyAccess } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { roundsOf } from '../../support/rounds.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError } from '../../support/skills.ts'

const server = await startTestServer()

/** Creates a key with another key, and a client that uses it. */
const make = async (maker: string, body: { access?: KeyAccess; expiresAt?: string } = {}) => {
  const { apiKeys } = server.clientFor(maker).registry
  const { data } = await apiKeys.create({ body: { name: 'made', ...body } })
  return { ...data, registry: server.clientFor(data.key).registry }
}
const listed = async (key: string, id: string) =>
  (await server.clientFor(key).registry.apiKeys.list()).data.find((item) => item.id === id)
const inMs = (ms: number) => new Date(server.clock.now() + ms).toISOString()

test('a key works until it expires, and the error then states that it has expired', async () => {
  const agent = await server.agent('expiring')
  const key = await make(agent.apiKey, { expiresAt: inMs(60_000) })
  server.clock.advance(59_999)
  await key.registry.agents.me()
  server.clock.advance(1)
  await expect(key.registry.agents.me()).rejects.toThrow('This API key has expired')
  expect((await listed(agent.apiKey, key.id))?.expiresAt).toBe(key.expiresAt)
})

test('a key that expires can only create keys that expire no later', async () => {
  const agent = await server.agent('parent')
  const parent = await make(agent.apiKey, { expiresAt: inMs(60_000) })
  expect((await make(parent.key)).expiresAt).toBe(parent.expiresAt)
  const sooner = await make(parent.key, { expiresAt: inMs(30_000) })
  expect(Date.parse(sooner.expiresAt ?? '')).toBe(server.clock.now() + 30_000)
  await expect(make(parent.key, { expiresAt: inMs(60_001) })).rejects.toThrow(ForbiddenError)
})

/** An agent with the key from registration and two others, of which one created the other. */
const keyed = async () => {
  const agent = await server.agent('keyed')
  const first = await make(agent.apiKey)
  const second = await make(first.key)
  const [registration] = (await agent.client.registry.apiKeys.list()).data.filter(
    ({ isRegistration }) => isRegistration,
  )
  const { apiKeys, agents } = agent.client.registry
  return { agent, first, second, id: registration?.id ?? '', apiKeys, agents }
}

test('revoking a key revokes no other key, also none that it created', async () => {
  const { agent, first, second, apiKeys } = await keyed()
  const { data } = await apiKeys.revoke({ params: { id: first.id } })
  expect(data).toEqual({ id: first.id, revoked: true, alsoRevoked: [] })
  await expect(first.registry.agents.me()).rejects.toThrow(UnauthorizedError)
  await second.registry.agents.me()
  expect((await listed(agent.apiKey, second.id))?.revokedAt).toBeNull()
  expect((await apiKeys.revoke({ params: { id: first.id } })).data).toEqual(data)
})

test('the key from registration revokes itself only with a choice to keep or revoke the others', async () => {
  const { id, second, apiKeys, agents } = await keyed()
  const params = { id }
  const refused = apiKeys.revoke({ params })
  await expect(refused).rejects.toThrow(ConflictError)
  await expect(refused).rejects.toThrow('keep or revoke the other active keys (2)')
  await agents.me()
  const { data } = await apiKeys.revoke({ params, query: { others: 'keep' } })
  expect(data.alsoRevoked).toEqual([])
  await expect(agents.me()).rejects.toThrow(UnauthorizedError)
  await second.registry.agents.me()

  const other = await keyed()
  const { data: all } = await other.apiKeys.revoke({
    params: { id: other.id },
    query: { others: 'revoke' },
  })
  expect(all.alsoRevoked.toSorted()).toEqual([other.first.id, other.second.id].sort())
  await expect(other.second.registry.agents.me()).rejects.toThrow(UnauthorizedError)

  const alone = await server.agent('alone')
  const [only] = (await alone.client.registry.apiKeys.list()).data
  await alone.client.registry.apiKeys.revoke({ params: { id: only?.id ?? '' } })
  await expect(alone.client.registry.agents.me()).rejects.toThrow(UnauthorizedError)
})

test('an unknown choice, and a choice that revokes the others with another key, are VALIDATION_ERROR', async () => {
  const { agent, first, second, id, apiKeys } = await keyed()
  for (const path of [`${id}?others=x`, `${id}?others=`, `${first.id}?others=revoke`]) {
    const response = ask(server, 'DELETE', `/api/v1/api-keys/${path}`, { key: agent.apiKey })
    await expectError(response, 'VALIDATION_ERROR')
  }
  await first.registry.agents.me()
  await apiKeys.revoke({ params: { id: first.id }, query: { others: 'keep' } })
  await second.registry.agents.me()
})

test('a key created while all keys are being revoked does not survive', async () => {
  for (let round = 0; round < roundsOf(3); round++) {
    const { agent, first, id, apiKeys } = await keyed()
    const body = { name: 'escapes' }
    const [, ...made] = await Promise.allSettled([
      apiKeys.revoke({ params: { id }, query: { others: 'revoke' } }),
      ...Array.from({ length: 5 }, () => first.registry.apiKeys.create({ body })),
    ])
    const escaped = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.data] : []))
    for (const key of [agent.apiKey, first.key, ...escaped.map(({ key }) => key)]) {
      await expect(server.clientFor(key).registry.agents.me()).rejects.toThrow(UnauthorizedError)
    }
  }
})

test('revokeAll revokes all keys except the calling key and the key from registration', async () => {
  const { first, second, apiKeys, agents } = await keyed()
  const all = await second.registry.apiKeys.revokeAll()
  expect(all).toEqual({ data: [first.id], total: 1 })
  await second.registry.agents.me()
  await agents.me()
  expect((await apiKeys.revokeAll()).data).toEqual([second.id])
  expect(await apiKeys.revokeAll()).toEqual({ data: [], total: 0 })
  await agents.me()
})

test('no other key can revoke the key from registration, so a leaked key cannot lock out its owner', async () => {
  const { second, id, agents } = await keyed()
  for (const query of [{}, { others: 'keep' }, { others: 'revoke' }] as const) {
    const revoke = second.registry.apiKeys.revoke({ params: { id }, query })
    await expect(revoke).rejects.toThrow(ForbiddenError)
  }
  await agents.me()
})

test('the list of keys contains all active keys and the 100 newest revoked or expired keys', async () => {
  const agent = await server.agent('hoarder')
  const { apiKeys } = agent.client.registry
  const expiresAt = inMs(60_000)
  const made: string[] = []
  for (let i = 0; i < 106; i++) {
    server.clock.advance(1)
    const { data } = await apiKeys.create({
      body: { name: 'short', ...(i % 2 ? {} : { expiresAt }) },
    })
    made.unshift(data.id)
    if (i % 2) await apiKeys.revoke({ params: { id: data.id } })
  }
  // The keys that expire are still live.
  expect((await apiKeys.list()).total).toBe(107)
  server.clock.advance(60_000)
  const live = await make(agent.apiKey)
  const { data, total } = await apiKeys.list()
  expect(total).toBe(102)
  expect(data.slice(0, -1).map(({ id }) => id)).toEqual([live.id, ...made.slice(0, 100)])
  expect(data.at(-1)).toMatchObject({ isRegistration: true, revokedAt: null })
})

test('an agent has at most 20 active keys, even if many are created at once', async () => {
  const server = await startTestServer({ quotas: { apiKeysPerAgent: 20 } })
  const agent = await server.agent('many')
  const { data } = await agent.client.registry.apiKeys.create({ body: { name: 'second' } })
  const clients = [agent.client, server.clientFor(data.key)]
  const made = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      clients[i % 2]?.registry.apiKeys.create({ body: { name: `key ${i}` } }),
    ),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(18)
  for (const one of made) {
    if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(ConflictError)
  }
  const refused = agent.client.registry.apiKeys.create({ body: { name: 'one more' } })
  await expect(refused).rejects.toThrow('You have 20 active API keys')
  // Revoked keys do not count.
  await agent.client.registry.apiKeys.revoke({ params: { id: data.id } })
  await agent.client.registry.apiKeys.create({ body: { name: 'in its place' } })
})
