import { removeOld } from '@skillpass/server/chores'
import { importSkills } from '@skillpass/server/registry/import/import'
import { describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/databases.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { publish, unique, writeJsonl } from '../../support/skills.ts'
import { eventually, until } from '../../support/waiting.ts'
import { recordsOf } from '../calls.ts'
import {
  type EmbeddingService,
  lengthenTimeouts,
  startEmbeddingService,
} from './embedding-service.ts'

const day = 86_400_000

lengthenTimeouts()

// The worker looks once a second, so the tests wait together, each with a server of its own.
describe.concurrent('the vectors of skills', () => {
  /** A server with its own service, and skills to embed. */
  const start = async (count = 3, env: Record<string, string> = {}) => {
    const service = await startEmbeddingService()
    const server = await startTestServer({ env: { EMBEDDINGS_URL: service.url, ...env } })
    const agent = await server.agent('author')
    const names = Array.from({ length: count }, () => unique('named'))
    const skills = await Promise.all(names.map((name) => publish(agent, { name })))
    return { service, server, agent, names, skills }
  }

  const startNode = (database: TestDatabase, service: EmbeddingService, env = {}) =>
    startTestServer({ database, env: { EMBEDDINGS_URL: service.url, ...env } })

  /** How often each skill was embedded. */
  const timesOf = ({ texts }: EmbeddingService, names: readonly string[]) =>
    names.map((name) => texts.filter((text) => text.split('\n', 1)[0] === name).length)

  /** Imports more skills than one request to the service holds, in one revision; returns their names. */
  const importMany = async ({ ctx }: TestServer) => {
    const records = recordsOf('many', 40)
    await importSkills(ctx, [await writeJsonl(records)], { as: 'importer' })
    return records.map(({ name }) => name)
  }

  const vectorsIn = ({ ctx }: TestServer) =>
    ctx.db.read.selectFrom('embeddings').selectAll().orderBy('skill_id').execute()

  /** Waits for so many vectors; `pass` ms at each look let the worker ask a failing service again. */
  const untilEmbedded = (server: TestServer, count: number, pass = 0) =>
    eventually(async () => {
      server.clock.advance(pass)
      expect(await vectorsIn(server)).toHaveLength(count)
    })

  /** Waits until the worker has seen all that has changed. */
  const untilSeen = ({ ctx }: TestServer) =>
    until('the worker has seen every change', async () => {
      const { revision } = await ctx.db.read
        .selectFrom('registry_revision')
        .select('revision')
        .executeTakeFirstOrThrow()
      const spaces = await ctx.db.read.selectFrom('embedding_spaces').select('revision').execute()
      return spaces.some((space) => space.revision === revision)
    })

  /** Waits until the worker has renewed its lease, as it does every day. */
  const untilTouched = ({ ctx }: TestServer) =>
    until('the worker has renewed its lease', async () => {
      const spaces = await ctx.db.read
        .selectFrom('embedding_spaces')
        .select('leased_until')
        .execute()
      return Math.max(...spaces.map((space) => space.leased_until)) >= ctx.clock.now()
    })

  test('a vector is made once, of the name, the description and the beginning of the readme', async () => {
    const { service, server, agent, names } = await start()
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

  test('a vector is made anew when its text changes, and only then', async () => {
    const { service, server, agent, names, skills } = await start()
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

  test('every skill of a large revision gets a vector', async () => {
    const { service, server } = await start(0)
    const names = await importMany(server)
    await untilEmbedded(server, names.length)
    await until('the lag is 0', async () => {
      const { values } = await server.ctx.metrics.embeddingLag.get()
      return values[0]?.value === 0
    })
    expect(timesOf(service, names)).toEqual(names.map(() => 1))
  })

  test('a restart keeps the vectors', async () => {
    const { service, server, names, agent } = await start()
    await untilEmbedded(server, 3)
    await untilSeen(server)
    await server.stop()
    const next = await startNode(server.database, service)
    const late = unique('late')
    await publish({ client: next.clientFor(agent.apiKey) }, { name: late })
    await untilEmbedded(next, 4)
    expect(timesOf(service, [...names, late])).toEqual([1, 1, 1, 1])
  })

  test('one of several nodes makes each vector', async () => {
    const { service, server } = await start(0)
    const secondNode = await startNode(server.database, service)
    const names = await importMany(server)
    await untilEmbedded(secondNode, names.length)
    await untilSeen(secondNode)
    expect(timesOf(service, names)).toEqual(names.map(() => 1))
  })

  test('another model gets new vectors, and those of the former model stay for a month', async () => {
    const { service, server, skills } = await start(3, { EMBEDDINGS_MODEL: 'first' })
    await untilEmbedded(server, 3)
    expect(service.asked).toMatchObject({ model: 'first' })
    await server.stop()
    const next = await startNode(server.database, service, { EMBEDDINGS_MODEL: 'second' })
    await untilEmbedded(next, 6)
    expect(service.asked).toMatchObject({ model: 'second' })
    await untilSeen(next)
    next.clock.advance(29 * day)
    await removeOld(next.ctx)
    expect(await vectorsIn(next)).toHaveLength(6)
    next.clock.advance(2 * day)
    await untilTouched(next)
    await removeOld(next.ctx)
    const left = await vectorsIn(next)
    expect(left.map(({ skill_id }) => skill_id)).toEqual(skills.map(({ id }) => id).sort())
    expect(new Set(left.map(({ space }) => space)).size).toBe(1)
  })

  test.each([
    ['its name', { model: 'other-meaning' }],
    ['the size of its vectors', { dimension: 7 }],
  ])('a service that changes %s unasked gets every text again', async (_, change) => {
    const { service, server, agent, skills } = await start()
    await untilEmbedded(server, 3)
    Object.assign(service, change)
    const late = await publish(agent, { name: unique('late') })
    await untilEmbedded(server, 7, 1000)
    const ids = [...skills, late].map(({ id }) => id).sort()
    const rows = await vectorsIn(server)
    const spaces = ids.map((id) => rows.filter(({ skill_id }) => skill_id === id).length)
    expect(spaces.filter((count) => count === 2)).toHaveLength(3)
  })

  test('the worker leaves out a text that the service refuses, and goes on with the others', async () => {
    const service = await startEmbeddingService()
    service.refuses = 'indigestible'
    const server = await startTestServer({ env: { EMBEDDINGS_URL: service.url } })
    const agent = await server.agent('author')
    for (const description of ['Good.', 'An indigestible text.', 'Good as well.']) {
      await publish(agent, { description })
    }
    await untilEmbedded(server, 2, 1000)
    await publish(agent, { description: 'Later.' })
    await untilEmbedded(server, 3, 1000)
    await untilSeen(server)
  })

  test('the worker asks a failing service again, and makes the vectors once it works', async () => {
    const service = await startEmbeddingService()
    service.mode = '500'
    const server = await startTestServer({ env: { EMBEDDINGS_URL: service.url } })
    const agent = await server.agent('author')
    await publish(agent)
    await until('the service is asked twice', () => {
      server.clock.advance(1000)
      return service.texts.length > 1
    })
    expect(await vectorsIn(server)).toEqual([])
    service.mode = 'good'
    await untilEmbedded(server, 1, 300_000)
  })

  test('the vector of a deleted skill is removed after 30 days', async () => {
    const { server, agent, skills } = await start()
    await untilEmbedded(server, 3)
    const [gone, ...left] = skills
    await agent.client.registry.skills.delete({ params: { id: gone?.id ?? '' } })
    server.clock.advance(31 * day)
    await untilTouched(server)
    await removeOld(server.ctx)
    const rows = await vectorsIn(server)
    expect(rows.map(({ skill_id }) => skill_id)).toEqual(left.map(({ id }) => id).sort())
  })
})

test('a server without an embedding service stores no vectors', async () => {
  const server = await startTestServer()
  await publish(await server.agent('author'))
  expect(await server.ctx.db.read.selectFrom('embeddings').selectAll().execute()).toEqual([])
})
