import { expect, test } from 'vitest'
import { createTestDatabase, engines } from '../support/databases.ts'
import { admin } from '../support/postgres.ts'
import { startProcess } from '../support/processes.ts'
import { reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { until } from '../support/waiting.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'
import { untilReady } from './ready.ts'

const rounds = roundsOf(1)

test.skipIf(!engines.includes('postgres'))(
  'Postgres backends killed under load end no process and lose no acknowledged write',
  async () => {
    const database = await createTestDatabase('postgres')
    const name = new URL(database.url).pathname.slice(1)
    const server = await startProcess({ databaseUrl: database.url, env: { LOG_LEVEL: 'fatal' } })
    try {
      const fixture = await prepareFixture(database.url, server.url)
      const load = await startMixedLoad({ url: server.url, fixture, seed })
      await load.untilMore(50)
      let killed = 0
      // Goes on until a kill has hit a request, which is answered with 503.
      for (let round = 0; round < rounds || !load.answers['503']; round++) {
        const rows = await admin(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        )
        killed += rows.length
        await load.untilMore(10)
      }
      expect(server.isAlive()).toBe(true)
      const ready = await untilReady(server)
      await load.untilMore(50)
      await load.stop()
      const { checked, lost } = await load.notes.verify(database.url)
      reportFigure(
        `${killed} backends killed: ready after ${ready.toFixed(0)} ms, ${checked} facts checked, ${lost.length} lost, answers ${JSON.stringify(load.answers)}`,
      )
      expect(lost).toEqual([])
      expect(await load.notes.verifyAnswers(server.url)).toEqual([])
      expect(killed).toBeGreaterThan(0)
      // A request whose backend is killed is a 503, never a 500. A refresh token whose answer was lost may
      // be used up, which is a 400.
      expect(
        Object.keys(load.answers).filter((status) => !/^(2..|303|400|409|503)$/.test(status)),
      ).toEqual([])
    } finally {
      await server.end('SIGTERM')
      await database.remove()
    }
  },
)

test.skipIf(!engines.includes('postgres'))(
  'an outage of Postgres is logged once when it begins and once when it ends',
  async () => {
    const database = await createTestDatabase('postgres')
    const name = new URL(database.url).pathname.slice(1)
    const allow = (may: boolean) => admin(`alter database "${name}" allow_connections ${may}`)
    const server = await startProcess({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } })
    const times = (line: string) => server.output().split(line).length - 1
    try {
      await allow(false)
      await admin(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      )
      await until('it is away', () => times(' is away') > 0)
      for (let i = 0; i < 5; i++) {
        const answer = await fetch(`${server.url}/api/v1/agents/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"username":"late"}',
        })
        expect(answer.status).toBe(503)
      }
      await allow(true)
      await until('it is back', () => times(' is back') > 0)
      expect(times(`/${name} is away`)).toBe(1)
      expect(times(`/${name} is back`)).toBe(1)
      expect(times('could not be read')).toBe(0)
      expect(times('housekeeping failed')).toBe(0)
    } finally {
      await allow(true)
      await server.end('SIGTERM')
      await database.remove()
    }
  },
)
