import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTestDatabase, type Engine, engines } from '../support/databases.ts'
import { startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { isLong, rangeOf, reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { checkIntegrity } from './integrity.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'

const rounds = roundsOf(1)

describe.each(engines)('kill -9 under load on %s', (engine) => {
  test('a server killed under load loses no acknowledged write and no token', async () => {
    const done = await killRounds(engine, rounds)
    const lost = done.flatMap((round) => round.lost)
    reportFigure(
      `${rounds} times kill -9 on ${engine}: ${rangeOf(done.map((round) => round.acknowledged))} writes acknowledged each, ${lost.length} lost, ready ${rangeOf(done.map((round) => round.readyMs))} ms after it listened`,
    )
    for (const { acknowledged, lost, integrity } of done) {
      expect(lost).toEqual([])
      expect(integrity).toBe('ok')
      expect(acknowledged).toBeGreaterThan(40)
    }
    if (isLong) expect(Math.min(...done.map(({ readyMs }) => readyMs))).toBeLessThan(1000)
  })
})

/**
 * Kills the server with SIGKILL under a mixed load of writes at a random moment, starts it again
 * on the same database and port, and holds what was acknowledged against what is there.
 */
async function killRounds(engine: Engine, rounds: number) {
  const random = seededRandom(seed)
  const database = await createTestDatabase(engine)
  const done = []
  let server = await startProcess({ databaseUrl: database.url })
  try {
    const fixture = await prepareFixture(database.url, server.url)
    for (let round = 0; round < rounds; round++) {
      const load = await startMixedLoad({ url: server.url, fixture, seed: seed + round })
      // By number, not by time: a busy machine must not make the round an empty one.
      await load.untilMore(50 + random() * (isLong ? 150 : 20))
      await pause(random() * 10)
      await server.end('SIGKILL')
      await load.stop()
      server = await startProcess({ databaseUrl: database.url, port: server.port })
      const { lost } = await load.verify(database.url, server.url)
      done.push({
        acknowledged: load.acknowledged(),
        lost,
        integrity: checkIntegrity(database.url),
        readyMs: server.readyMs,
      })
    }
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
  return done
}
