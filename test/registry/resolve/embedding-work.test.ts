import { removeOld } from '@skillpass/server/chores'
import { describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts'
import type { TestServer } from '../../support/server.ts'
import { publish, serverForTest, unique } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { type EmbeddingService, startEmbeddingService } from './embedding-service.ts'

describe('the vectors of skills', () => {
  /** A server with a service of its own, and skills to embed. */
  const scene = async (count = 3, env: Record<string, string> = {}) => {
    const service = await startEmbeddingService()
    const server = await serverForTest({ env: { EMBEDDINGS_URL: service.url, ...env } })
    const agent = await server.agent('author')
    const names = Array.from({ length: count }, () => unique('named'))
    const skills = await Promise.all(names.map((name) => publish(agent, { name })))
    return { service, server, agent, names, skills }
  }

  /** Another process on the database. */
  const another = (database: TestDatabase, service: EmbeddingService, env = {}) =>
    serverForTest({ database, env: { EMBEDDINGS_URL: service.url, ...env } })

  /** How often each skill was embedded. */
  const timesOf = ({ texts }: EmbeddingService, names: readonly string[]) =>
    names.map((name) => texts.filter((text) => text.startsWith(name)).length)

  const vectorsIn = ({ ctx }: TestServer) =>
    ctx.db.read.selectFrom('embeddings').selectAll().orderBy('skill_id').execute()

  const untilEmbedded = (server: TestServer, count: number) =>
    eventually(async () => {
      server.clock.advance(1000)
      expect(await vectorsIn(server)).toHaveLength(count)
    })

  /** Waits until the worker has seen all that has changed. */
  const untilSeen = (server: TestServer) =>
    eventually(async () => {
      server.clock.advance(1000)
      const { revision } = await server.ctx.db.read
        .selectFrom('registry_revision')
        .select('revision')
        .executeTakeFirstOrThrow()
      const spaces = await server.ctx.db.read
        .selectFrom('embedding_spaces')
        .select('revision')
        .execute()
      expect(spaces.some((space) => space.revision === revision)).toBe(true)
    })

  /** A space that is used says so every day. */
  const untilTouched = ({ ctx }: TestServer) =>
    eventually(async () => {
      const spaces = await ctx.db.read
        .selectFrom('embedding_spaces')
        .select('leased_until')
        .execute()
      const last = Math.max(...spaces.map((space) => space.leased_until))
      expect(last).toBeGreaterThanOrEqual(ctx.clock.now())
    })

  test('are made of name, description and the beginning of the readme, once', async () => {
    const { service, server, agent, names } = await scene()
    const name = unique('long')
    await publish(agent, {
      name,
      description: 'What it is for.',
      readme: `# Begins here\n\n${'🧩'.repeat(5000)}`,
    })
    await untilEmbedded(server, 4)
    await untilSeen(server)
    const [text = ''] = service.texts.filter((each) => each.startsWith(name))
    expect(text).toMatch(
      new RegExp(`^${name}\\n\\nWhat it is for\\.\\n\\n# Begins here\\n\\n🧩+$`, 'u'),
    )
    expect(text.length).toBeGreaterThan(1990)
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(timesOf(service, [...names, name])).toEqual([1, 1, 1, 1])
    const rows = await vectorsIn(server)
    expect(rows.map(({ vector }) => vector.length)).toEqual([5, 5, 5, 5])
  })

  test('follow a change of the text, and no other', async () => {
    const { service, server, agent, names, skills } = await scene()
    await untilEmbedded(server, 3)
    const [changed, starred] = skills
    const fan = await server.agent('fan')
    await fan.client.registry.skills.star({ params: { id: starred?.id ?? '' } })
    await agent.client.registry.skills.update({
      params: { id: changed?.id ?? '' },
      body: { description: 'Now for automobiles.' },
    })
    await untilSeen(server)
    expect(timesOf(service, names)).toEqual([2, 1, 1])
    await agent.client.registry.skills.update({
      params: { id: changed?.id ?? '' },
      body: { readme: '# Rewritten' },
    })
    await untilSeen(server)
    expect(timesOf(service, names)).toEqual([3, 1, 1])
    expect(service.texts.at(-1)).toContain('# Rewritten')
  })

  test('are made of all skills of a revision, however many were imported with it', async () => {
    const importing = await serverForTest()
    const agent = await importing.agent('author')
    for (let i = 0; i < 5; i++) {
      await Promise.all(Array.from({ length: 8 }, () => publish(agent, { name: unique('named') })))
    }
    await importing.ctx.db.write(async (trx) => {
      const { revision } = await trx
        .selectFrom('registry_revision')
        .select('revision')
        .executeTakeFirstOrThrow()
      await trx.updateTable('skills').set({ revision }).execute()
    })
    const service = await startEmbeddingService()
    const server = await another(importing.database, service)
    await untilEmbedded(server, 40)
    await eventually(async () => {
      const { values } = await server.ctx.metrics.embeddingLag.get()
      expect(values[0]?.value).toBe(0)
    })
  })

  test('outlive a restart', async () => {
    const { service, server, names, agent } = await scene()
    await untilEmbedded(server, 3)
    await untilSeen(server)
    await server.stop()
    const next = await another(server.database, service)
    const late = unique('late')
    await publish({ client: next.clientFor(agent.apiKey) }, { name: late })
    await untilEmbedded(next, 4)
    expect(timesOf(service, [...names, late])).toEqual([1, 1, 1, 1])
  })

  test('are made by one of several nodes', async () => {
    const { service, server, agent } = await scene(0)
    const nodes = [server, await another(server.database, service)]
    const names = Array.from({ length: 60 }, () => unique('many'))
    for (const [index, name] of names.entries()) {
      const node = nodes[index % 2] ?? server
      await publish({ client: node.clientFor(agent.apiKey) }, { name })
    }
    await untilEmbedded(server, 60)
    expect(timesOf(service, names)).toEqual(names.map(() => 1))
  })

  test('are made anew for another model, and those of the former stay for a month', async () => {
    const { service, server, skills } = await scene(3, { EMBEDDINGS_MODEL: 'first' })
    await untilEmbedded(server, 3)
    expect(service.asked).toMatchObject({ model: 'first' })
    await server.stop()
    const next = await another(server.database, service, { EMBEDDINGS_MODEL: 'second' })
    await untilEmbedded(next, 6)
    expect(service.asked).toMatchObject({ model: 'second' })
    await untilSeen(next)
    next.clock.advance(29 * 86_400_000)
    await removeOld(next.ctx)
    expect(await vectorsIn(next)).toHaveLength(6)
    next.clock.advance(2 * 86_400_000)
    await untilTouched(next)
    await removeOld(next.ctx)
    const left = await vectorsIn(next)
    expect(left.map(({ skill_id }) => skill_id)).toEqual(skills.map(({ id }) => id).sort())
    expect(new Set(left.map(({ space }) => space)).size).toBe(1)
  })

  test.each([
    ['its name', { model: 'other-meaning' }],
    ['the size of its vectors', { dimension: 7 }],
  ])('are made anew when the service changes its model unasked, by %s', async (_, change) => {
    const { service, server, agent, skills } = await scene()
    await untilEmbedded(server, 3)
    Object.assign(service, change)
    const late = await publish(agent, { name: unique('late') })
    await untilEmbedded(server, 7)
    const ids = [...skills, late].map(({ id }) => id).sort()
    const rows = await vectorsIn(server)
    const spaces = ids.map((id) => rows.filter(({ skill_id }) => skill_id === id).length)
    expect(spaces.filter((count) => count === 2)).toHaveLength(3)
  })

  test('leave out a text that the service refuses, and go on with the others', async () => {
    const service = await startEmbeddingService()
    service.refuses = 'indigestible'
    const server = await serverForTest({ env: { EMBEDDINGS_URL: service.url } })
    const agent = await server.agent('author')
    for (const description of ['Good.', 'An indigestible text.', 'Good as well.']) {
      await publish(agent, { description })
    }
    await untilEmbedded(server, 2)
    await publish(agent, { description: 'Later.' })
    await untilEmbedded(server, 3)
    await untilSeen(server)
  })

  test('wait for a service that is down, and are made when it is back', async () => {
    const service = await startEmbeddingService()
    service.mode = '500'
    const server = await serverForTest({ env: { EMBEDDINGS_URL: service.url } })
    const agent = await server.agent('author')
    await publish(agent)
    await eventually(async () => {
      server.clock.advance(1000)
      expect(service.texts.length).toBeGreaterThan(3)
    })
    expect(await vectorsIn(server)).toEqual([])
    service.mode = 'good'
    await eventually(async () => {
      server.clock.advance(300_000)
      expect(await vectorsIn(server)).toHaveLength(1)
    })
  })

  test('end with their skill', async () => {
    const { server, agent, skills } = await scene()
    await untilEmbedded(server, 3)
    const [gone, ...left] = skills
    await agent.client.registry.skills.delete({ params: { id: gone?.id ?? '' } })
    server.clock.advance(31 * 86_400_000)
    await untilTouched(server)
    await removeOld(server.ctx)
    const rows = await vectorsIn(server)
    expect(rows.map(({ skill_id }) => skill_id)).toEqual(left.map(({ id }) => id).sort())
  })
})

test('a database that was never asked for vectors holds none', async () => {
  const database = await createTestDatabase('sqlite')
  const server = await serverForTest({ database })
  await publish(await server.agent('author'))
  expect(await server.ctx.db.read.selectFrom('embeddings').selectAll().execute()).toEqual([])
  await server.stop()
  await database.remove()
})
