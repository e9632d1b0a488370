import { createClient } from '@skillpass/client'
import { migrations, openDatabase } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { createTestDatabase, engines } from '../support/databases.ts'
import { startProcess } from '../support/processes.ts'
import { reportFigure } from '../support/rounds.ts'
import { until } from '../support/waiting.ts'

describe.each(engines)('three servers started at once on one empty %s database', (engine) => {
  test('three servers that start on an empty database migrate it once, create one demo, and all serve', async () => {
    const database = await createTestDatabase(engine)
    const options = { databaseUrl: database.url, env: { NODE_ENV: 'development' } }
    const starts = await Promise.allSettled([1, 2, 3].map(() => startProcess(options)))
    const servers = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    try {
      expect(
        starts.map((start) => (start.status === 'rejected' ? String(start.reason) : 'serves')),
      ).toEqual(['serves', 'serves', 'serves'])
      const [first, ...others] = servers
      const { registry } = createClient({ baseUrl: first?.url ?? '' })
      const { data } = await registry.agents.register({ body: { username: 'shared' } })
      for (const { url } of others) {
        await createClient({ baseUrl: url, apiKey: data.apiKey }).registry.agents.me()
      }
      await untilDemoIsMade(servers)
      const db = await openDatabase(database.url)
      try {
        const applied = await db.read.selectFrom('schema_migrations').select('name').execute()
        expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
        const agents = await db.read
          .selectFrom('agents')
          .select('username')
          .where('username', '=', 'demo-agent')
          .execute()
        expect(agents).toHaveLength(1)
      } finally {
        await db.close()
      }
      expect(servers.map((server) => server.isAlive())).toEqual([true, true, true])
      reportFigure(
        `three concurrent starts on ${engine}: ${migrations.length} migrations, each applied once`,
      )
    } finally {
      const ends = await Promise.all(servers.map((server) => server.end('SIGTERM')))
      await database.remove()
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
    }
  })
})

/** Waits until a server has printed its startup hints. */
const untilDemoIsMade = (servers: { output(): string }[]) =>
  until('the demo data', () =>
    servers.some((server) => server.output().includes('SKILLPASS_API_KEY=')),
  )
