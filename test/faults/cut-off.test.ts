import { expect, test } from 'vitest'
import { createTestDatabase, engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, publish, unique } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { startPausingProxy } from './pausing-proxy.ts'

test.skipIf(!engines.includes('postgres'))(
  'a node that is cut off from Postgres refuses writes with 503, serves reads from memory, and recovers by itself',
  async () => {
    const database = await createTestDatabase('postgres')
    const proxy = await startPausingProxy(database.url)
    const server = await startTestServer({ database: { ...database, url: proxy.url } })
    const other = await startTestServer({ database, clock: server.clock })
    try {
      const author = await server.agent('author')
      const kept = await publish(author)
      const write = () =>
        ask(server, 'POST', '/api/v1/skills', {
          key: author.apiKey,
          body: { name: 'Late', slug: unique('late') },
        })
      const metrics = async () => (await server.http('/metrics')).text()
      const { skills } = server.client.registry
      const found = async () =>
        (await skills.resolve({ query: { task: kept.name, threshold: 0 } })).data.map(
          ({ skill }) => skill.id,
        )

      proxy.pause()
      const { headers } = await expectError(write(), 'UNAVAILABLE')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      await until('the node knows that Postgres is away', () => server.ctx.db.isAway())
      for (let i = 0; i < 10; i++) await expectError(write(), 'UNAVAILABLE')
      expect(await found()).toContain(kept.id)
      expect((await other.http('/api/v1/skills/trending')).status).toBe(200)
      expect(await metrics()).toContain('skillpass_away{service="postgres"} 1\n')

      proxy.resume()
      await until('a write succeeds again', async () => (await write()).status === 201)
      expect(await found()).toContain(kept.id)
      const after = await metrics()
      expect(after).toContain('skillpass_away{service="postgres"} 0\n')
      expect(after).toMatch(/^skillpass_outages_total\{service="postgres"\} [1-9]/m)
      expect(after).toMatch(/^skillpass_unavailable_total [1-9]/m)
    } finally {
      await server.stop()
      await other.stop()
      await proxy.close()
      await database.remove()
    }
  },
)
