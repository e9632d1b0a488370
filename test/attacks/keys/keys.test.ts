import { ConflictError, ForbiddenError, UnauthorizedError } from '@skillpass/client'
import type { KeyAccess } from '@skillpass/contract'
import { hideSkill } from '@skillpass/server/moderation/skills'
import { expect, test } from 'vitest'
import { operatorOf } from '../../support/commands.ts'
import { roundsOf } from '../../support/rounds.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError, publish } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

const server = await startTestServer()
const operator = await operatorOf(server.database, server.clock)

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

test('an expired key does not reveal why a skill was hidden', async () => {
  const agent = await server.agent('hidden')
  const key = await make(agent.apiKey, { access: 'read', expiresAt: inMs(60_000) })
  const skill = await publish(agent)
  await hideSkill(operator, skill.id, 'It sends files away.')
  const shownReason = async () => {
    const response = ask(server, 'GET', `/api/v1/skills/${skill.id}`, { key: key.key })
    return (await expectError(response, 'UNAVAILABLE_FOR_LEGAL_REASONS')).message
  }
  await eventually(async () => expect(await shownReason()).toContain('It sends files away.'))
  server.clock.advance(60_000)
  expect(await shownReason()).not.toContain('It sends files away.')
})

const family = async () => {
  const agent = await server.agent('family')
  const child = await make(agent.apiKey)
  const grandchild = await make(child.key)
  const other = await make(agent.apiKey)
  return { agent, child, grandchild, other, apiKeys: agent.client.registry.apiKeys }
}

test('revoking a key also revokes all keys derived from it, and no others', async () => {
  const { agent, child, grandchild, other, apiKeys } = await family()
  expect(grandchild.parentId).toBe(child.id)
  const { data } = await apiKeys.revoke({ params: { id: child.id } })
  expect(data).toEqual({ id: child.id, revoked: true, alsoRevoked: [grandchild.id] })
  await expect(grandchild.registry.agents.me()).rejects.toThrow(UnauthorizedError)
  await other.registry.agents.me()
  expect((await listed(agent.apiKey, grandchild.id))?.revokedAt).not.toBeNull()
  const again = await apiKeys.revoke({ params: { id: child.id } })
  expect(again.data.alsoRevoked).toEqual([])
})

test('a flag of a key revocation that is neither true nor false is refused with VALIDATION_ERROR', async () => {
  const { agent, child } = await family()
  for (const path of [`/${child.id}?keepChildren=x`, '?includeCurrent=x']) {
    const response = ask(server, 'DELETE', `/api/v1/api-keys${path}`, { key: agent.apiKey })
    await expectError(response, 'VALIDATION_ERROR')
  }
  await child.registry.agents.me()
})

test('a key created while its parent is being revoked does not survive', async () => {
  for (let round = 0; round < roundsOf(3); round++) {
    const { agent, child, apiKeys } = await family()
    const body = { name: 'escapes' }
    const [, ...made] = await Promise.allSettled([
      apiKeys.revoke({ params: { id: child.id } }),
      ...Array.from({ length: 5 }, () => child.registry.apiKeys.create({ body })),
    ])
    const escaped = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.data] : []))
    for (const { id, key } of escaped) {
      expect((await listed(agent.apiKey, id))?.revokedAt).not.toBeNull()
      await expect(server.clientFor(key).registry.agents.me()).rejects.toThrow(UnauthorizedError)
    }
  }
})

test('revokeAll revokes all other keys of the agent, and the calling key too if includeCurrent is true', async () => {
  const { agent, child, grandchild, other, apiKeys } = await family()
  const first = await apiKeys.revokeAll()
  expect(first.data.toSorted()).toEqual([child.id, grandchild.id, other.id].sort())
  expect(await apiKeys.revokeAll()).toEqual({ data: [], total: 0 })
  await expect(child.registry.agents.me()).rejects.toThrow(UnauthorizedError)
  await agent.client.registry.agents.me()
  expect((await apiKeys.revokeAll({ query: { includeCurrent: 'true' } })).total).toBe(1)
  await expect(agent.client.registry.agents.me()).rejects.toThrow(UnauthorizedError)
})

test('a key cannot revoke the keys it was derived from, so a leaked child cannot lock out its owner', async () => {
  const { agent, child, grandchild, other, apiKeys } = await family()
  const [root] = (await apiKeys.list()).data.filter(({ parentId }) => parentId === null)
  for (const id of [root?.id ?? '', child.id]) {
    const revoke = grandchild.registry.apiKeys.revoke({ params: { id } })
    await expect(revoke).rejects.toThrow(ForbiddenError)
  }
  const all = await grandchild.registry.apiKeys.revokeAll({ query: { includeCurrent: 'true' } })
  expect(all.data.toSorted()).toEqual([grandchild.id, other.id].sort())
  await child.registry.agents.me()
  await agent.client.registry.agents.me()
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
  expect(data.at(-1)).toMatchObject({ parentId: null, revokedAt: null })
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
