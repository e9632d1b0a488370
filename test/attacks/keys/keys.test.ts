import { ConflictError, ForbiddenError, UnauthorizedError } from '@skillpass/client'
import type { KeyAccess } from '@skillpass/contract'
import { migrateDown, migrateUp } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'
import { hideSkill } from '@skillpass/server/registry/moderation/skills'
import { describe, expect, test } from 'vitest'
import { operatorOf } from '../../support/commands.ts'
import { createTestDatabase, engine } from '../../support/databases.ts'
import { startTestServer } from '../../support/server.ts'
import { addressOf, ask, expectError, serverForTest, unique } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

describe('API keys that leak,', async () => {
  const server = await startTestServer()
  const operator = await operatorOf(server.database, server.clock)

  /** Makes a key with another and gives a client that uses it. */
  const make = async (maker: string, body: { access?: KeyAccess; expiresAt?: string } = {}) => {
    const { apiKeys } = server.clientFor(maker).registry
    const { data } = await apiKeys.create({ body: { name: 'made', ...body } })
    return { ...data, registry: server.clientFor(data.key).registry }
  }
  const listed = async (key: string, id: string) =>
    (await server.clientFor(key).registry.apiKeys.list()).data.find((item) => item.id === id)
  const inMs = (ms: number) => new Date(server.clock.now() + ms).toISOString()

  describe('a narrowed key', () => {
    test('of read access opens the own profile alone, and says so when it is refused', async () => {
      const agent = await server.agent('reader')
      const key = await make(agent.apiKey, { access: 'read' })
      expect(key.access).toBe('read')
      expect((await key.registry.agents.me()).data.id).toBe(agent.id)
      const body = { name: 'x', slug: unique('x') }
      const refused = await expectError(
        ask(server, 'POST', '/api/v1/skills', { key: key.key, body }),
        'FORBIDDEN',
      )
      expect(refused.message).toBe('This API key has read access; publish access is needed here.')
    })

    test('of publish access publishes, changes and deletes, and neither stars nor votes', async () => {
      const agent = await server.agent('publisher')
      const { registry } = await make(agent.apiKey, { access: 'publish' })
      const { data } = await registry.skills.publish({ body: { name: 'x', slug: unique('x') } })
      const at = { params: { id: data.id } }
      await registry.skills.update({ ...at, body: { name: 'y' } })
      await expect(registry.skills.star(at)).rejects.toThrow(ForbiddenError)
      const feedback = registry.feedback.submit({ ...at, body: { task: 'x', helpful: true } })
      await expect(feedback).rejects.toThrow(ForbiddenError)
      await registry.skills.delete(at)
    })

    test.each(['read', 'publish'] as const)(
      'of %s access makes, lists and ends no key',
      async (access) => {
        const agent = await server.agent('narrow')
        const { id, registry } = await make(agent.apiKey, { access })
        await expect(registry.apiKeys.create({ body: { name: 'more' } })).rejects.toThrow(
          ForbiddenError,
        )
        await expect(registry.apiKeys.list()).rejects.toThrow(ForbiddenError)
        await expect(registry.apiKeys.revokeAll()).rejects.toThrow(ForbiddenError)
        await expect(registry.apiKeys.revoke({ params: { id } })).rejects.toThrow(ForbiddenError)
        expect((await agent.client.registry.apiKeys.list()).total).toBe(2)
      },
    )

    test('has one of the three accesses: another word is a validation error', async () => {
      const agent = await server.agent('words')
      for (const access of ['admin', '', 'FULL', 1, null]) {
        const call = { key: agent.apiKey, body: { name: 'x', access } }
        const answer = ask(server, 'POST', '/api/v1/api-keys', call)
        const { details } = await expectError(answer, 'VALIDATION_ERROR')
        expect(details).toMatchObject([{ in: 'body', path: 'access' }])
      }
    })
  })

  describe('a key that expires', () => {
    test('works until its time, and is refused from then on with the reason', async () => {
      const agent = await server.agent('expiring')
      for (const expiresAt of [inMs(0), '9999-12-31T23:59:59-23:59']) {
        const body = { name: 'never', expiresAt }
        const call = ask(server, 'POST', '/api/v1/api-keys', { key: agent.apiKey, body })
        const { details } = await expectError(call, 'VALIDATION_ERROR')
        expect(details).toMatchObject([{ in: 'body', path: 'expiresAt' }])
      }
      const key = await make(agent.apiKey, { expiresAt: inMs(60_000) })
      server.clock.advance(59_999)
      await key.registry.agents.me()
      server.clock.advance(1)
      await expect(key.registry.agents.me()).rejects.toThrow('This API key has expired')
      await expect(key.registry.agents.me()).rejects.toThrow(UnauthorizedError)
      expect((await listed(agent.apiKey, key.id))?.expiresAt).toBe(key.expiresAt)
    })

    test('makes keys that end no later: with it where nothing is asked, refused where more is', async () => {
      const agent = await server.agent('parent')
      const parent = await make(agent.apiKey, { expiresAt: inMs(60_000) })
      expect((await make(parent.key)).expiresAt).toBe(parent.expiresAt)
      const sooner = await make(parent.key, { expiresAt: inMs(30_000) })
      expect(Date.parse(sooner.expiresAt ?? '')).toBe(server.clock.now() + 30_000)
      const later = parent.registry.apiKeys.create({
        body: { name: 'later', expiresAt: inMs(60_001) },
      })
      await expect(later).rejects.toThrow(ForbiddenError)
    })

    test('reads no reason of a hidden skill once it has expired', async () => {
      const agent = await server.agent('hidden')
      const key = await make(agent.apiKey, { access: 'read', expiresAt: inMs(60_000) })
      const { data: skill } = await agent.client.registry.skills.publish({
        body: { name: 'x', slug: unique('x') },
      })
      await hideSkill(operator, skill.id, 'It sends files away.')
      const path = `/api/v1/skills/${skill.id}`
      const told = async () => {
        const answer = ask(server, 'GET', path, { key: key.key })
        return (await expectError(answer, 'UNAVAILABLE_FOR_LEGAL_REASONS')).message
      }
      await eventually(async () => expect(await told()).toContain('It sends files away.'))
      server.clock.advance(60_000)
      expect(await told()).not.toContain('It sends files away.')
    })

    test('names no reader once it has expired', async () => {
      const reader = await server.agent('reader')
      const key = await make(reader.apiKey, { access: 'read', expiresAt: inMs(60_000) })
      const author = await server.agent('author')
      const readers = async () => {
        const { data: skill } = await author.client.registry.skills.publish({
          body: { name: 'x', slug: unique('x') },
        })
        await ask(server, 'GET', `${addressOf(skill)}?format=md`, { key: key.key })
        await server.ctx.counters.flush()
        const rows = await server.ctx.db.read
          .selectFrom('reads')
          .select('reader')
          .where('skill_id', '=', skill.id)
          .execute()
        return rows.map((row) => row.reader)
      }
      expect(await readers()).toContain(reader.id)
      server.clock.advance(60_000)
      expect(await readers()).not.toContain(reader.id)
    })

    test('ends in the future: other times are validation errors', async () => {
      const agent = await server.agent('past')
      for (const expiresAt of [inMs(0), inMs(-1000), 'tomorrow', '2027-13-01T00:00:00Z', 5]) {
        const call = { key: agent.apiKey, body: { name: 'x', expiresAt } }
        const answer = ask(server, 'POST', '/api/v1/api-keys', call)
        const { details } = await expectError(answer, 'VALIDATION_ERROR')
        expect(details).toMatchObject([{ in: 'body', path: 'expiresAt' }])
      }
    })
  })

  describe('a revoked key', () => {
    const family = async () => {
      const agent = await server.agent('family')
      const child = await make(agent.apiKey)
      const grandchild = await make(child.key)
      const other = await make(agent.apiKey)
      return { agent, child, grandchild, other, apiKeys: agent.client.registry.apiKeys }
    }

    test('ends what it made, and what that made, and nothing else', async () => {
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

    test('leaves what it made when that is asked, and ends it later all the same', async () => {
      const { child, grandchild, apiKeys } = await family()
      const at = { params: { id: child.id } }
      const kept = await apiKeys.revoke({ ...at, query: { keepChildren: 'true' } })
      expect(kept.data.alsoRevoked).toEqual([])
      await grandchild.registry.agents.me()
      expect((await apiKeys.revoke(at)).data.alsoRevoked).toEqual([grandchild.id])
      await expect(grandchild.registry.agents.me()).rejects.toThrow(UnauthorizedError)
    })

    test('makes none that lives on while it is being revoked', async () => {
      for (let round = 0; round < 5; round++) {
        const { agent, child, apiKeys } = await family()
        const body = { name: 'escapes' }
        const [, ...made] = await Promise.allSettled([
          apiKeys.revoke({ params: { id: child.id } }),
          ...Array.from({ length: 5 }, () => child.registry.apiKeys.create({ body })),
        ])
        const escaped = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.data] : []))
        for (const { id, key } of escaped) {
          expect((await listed(agent.apiKey, id))?.revokedAt).not.toBeNull()
          await expect(server.clientFor(key).registry.agents.me()).rejects.toThrow(
            UnauthorizedError,
          )
        }
      }
    })

    test('is all but the one sent when all are revoked, and that too when asked', async () => {
      const { agent, child, grandchild, other, apiKeys } = await family()
      const first = await apiKeys.revokeAll()
      expect(first.data.toSorted()).toEqual([child.id, grandchild.id, other.id].sort())
      expect(first.total).toBe(3)
      expect(await apiKeys.revokeAll()).toEqual({ data: [], total: 0 })
      await agent.client.registry.agents.me()
      for (const { registry } of [child, grandchild, other]) {
        await expect(registry.agents.me()).rejects.toThrow(UnauthorizedError)
      }
      const last = await apiKeys.revokeAll({ query: { includeCurrent: 'true' } })
      expect(last.total).toBe(1)
      await expect(agent.client.registry.agents.me()).rejects.toThrow(UnauthorizedError)
    })

    test('is none that the calling key comes from: a derived key that leaks locks nobody out', async () => {
      const { agent, child, grandchild, other, apiKeys } = await family()
      const [root] = (await apiKeys.list()).data.filter(({ parentId }) => parentId === null)
      for (const id of [root?.id ?? '', child.id]) {
        for (const keepChildren of ['true', 'false'] as const) {
          const revoke = grandchild.registry.apiKeys.revoke({
            params: { id },
            query: { keepChildren },
          })
          await expect(revoke).rejects.toThrow(ForbiddenError)
        }
      }
      const all = await grandchild.registry.apiKeys.revokeAll({ query: { includeCurrent: 'true' } })
      expect(all.data.toSorted()).toEqual([grandchild.id, other.id].sort())
      await child.registry.agents.me()
      await agent.client.registry.agents.me()
    })

    test('may be the calling one, which leaves nothing that its maker cannot end', async () => {
      const { child, grandchild, apiKeys } = await family()
      const params = { id: child.id }
      await child.registry.apiKeys.revoke({ params, query: { keepChildren: 'true' } })
      await expect(child.registry.agents.me()).rejects.toThrow(UnauthorizedError)
      expect((await apiKeys.revoke({ params })).data.alsoRevoked).toEqual([grandchild.id])
      await expect(grandchild.registry.agents.me()).rejects.toThrow(UnauthorizedError)
    })

    test('is no other agent’s, whatever the query says', async () => {
      const { child } = await family()
      const stranger = await server.agent('stranger')
      for (const keepChildren of ['true', 'false'] as const) {
        const revoke = stranger.client.registry.apiKeys.revoke({
          params: { id: child.id },
          query: { keepChildren },
        })
        await expect(revoke).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
      await stranger.client.registry.apiKeys.revokeAll({ query: { includeCurrent: 'true' } })
      await child.registry.agents.me()
    })

    test('is not asked for in other words: they are validation errors', async () => {
      const { agent, child } = await family()
      for (const path of [`/${child.id}?keepChildren=yes`, '?includeCurrent=1']) {
        const answer = ask(server, 'DELETE', `/api/v1/api-keys${path}`, { key: agent.apiKey })
        await expectError(answer, 'VALIDATION_ERROR')
      }
      await child.registry.agents.me()
    })
  })

  test('ended keys are listed up to the newest 100, live ones all', async () => {
    const agent = await server.agent('hoarder')
    const { apiKeys } = agent.client.registry
    const expiresAt = inMs(60_000)
    const made: string[] = []
    for (let i = 0; i < 130; i++) {
      server.clock.advance(1)
      const { data } = await apiKeys.create({
        body: { name: 'short', ...(i % 2 ? {} : { expiresAt }) },
      })
      made.unshift(data.id)
      if (i % 2) await apiKeys.revoke({ params: { id: data.id } })
    }
    // Those that are to expire live still.
    expect((await apiKeys.list()).total).toBe(131)
    server.clock.advance(60_000)
    const live = await make(agent.apiKey)
    const { data, total } = await apiKeys.list()
    expect(total).toBe(102)
    expect(data.slice(0, -1).map(({ id }) => id)).toEqual([live.id, ...made.slice(0, 100)])
    expect(data.at(-1)).toMatchObject({ parentId: null, revokedAt: null })
  })

  test('the last use is told with the network of its address, not the address', async () => {
    const behind = await serverForTest({ env: { TRUST_PROXY: 'loopback' } })
    const agent = await behind.agent('elsewhere')
    const [key] = (await agent.client.registry.apiKeys.list()).data
    expect(key).toMatchObject({ parentId: null, access: 'full', expiresAt: null })
    for (const [address, network] of [
      ['203.0.113.77', '203.0.113.0/24'],
      ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
    ] as const) {
      const headers = { 'x-forwarded-for': address }
      await ask(behind, 'GET', '/api/v1/agents/me', { key: agent.apiKey, headers })
      await behind.ctx.counters.flush()
      const rows = await behind.ctx.db.read
        .selectFrom('api_keys')
        .select('last_used_network as network')
        .where('agent_id', '=', agent.id)
        .execute()
      expect(rows).toEqual([{ network }])
    }
  })
})

describe('live API keys of one agent', async () => {
  const server = await startTestServer({ env: { MAX_API_KEYS_PER_AGENT: '20' } })

  test('are at most 20, however many are asked for at once, by how many keys', async () => {
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
    await expect(refused).rejects.toThrow('You have 20 live API keys')
  })

  test('do not count where they were revoked or have expired', async () => {
    const agent = await server.agent('renewed')
    const { apiKeys } = agent.client.registry
    const expiresAt = new Date(server.clock.now() + 1000).toISOString()
    for (let i = 0; i < 19; i++) await apiKeys.create({ body: { name: `key ${i}`, expiresAt } })
    await expect(apiKeys.create({ body: { name: 'x' } })).rejects.toThrow(ConflictError)
    // All are of one instant: the first of the list may be the calling key.
    const made = (await apiKeys.list()).data.find(({ parentId }) => parentId !== null)
    await apiKeys.revoke({ params: { id: made?.id ?? '' } })
    await apiKeys.create({ body: { name: 'in its place' } })
    await expect(apiKeys.create({ body: { name: 'x' } })).rejects.toThrow(ConflictError)
    server.clock.advance(1000)
    await apiKeys.create({ body: { name: 'after the others' } })
  })
})

test('keys of an older database open everything, for ever,', async () => {
  const database = await createTestDatabase(engine)
  const before = await startTestServer({ database })
  const agent = await before.agent('older')
  await before.stop()
  const db = await openDatabase(database.url)
  while ((await migrateDown(db)) !== '0011-keys-and-quotas');
  await migrateUp(db)
  await db.close()
  const after = await serverForTest({ database })
  const { apiKeys } = after.clientFor(agent.apiKey).registry
  expect((await apiKeys.list()).data).toMatchObject([
    { access: 'full', expiresAt: null, parentId: null, revokedAt: null },
  ])
  await after.stop()
  await database.remove()
})
