import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { createTestDatabase, type Engine, engine, engines } from '../support/databases.ts'
import { startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { isLong, rangeOf, reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { checkIntegrity } from './integrity.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'

const rounds = roundsOf(1)

describe.each(isLong ? engines : [engine])('SIGTERM under load on %s', (engine) => {
  test('a server that gets SIGTERM under load cuts no answer, loses no write and exits with 0', async () => {
    const done = await terminateRounds(engine, rounds)
    const cut = done.flatMap((round) => round.cut)
    const lost = done.flatMap((round) => round.lost)
    reportFigure(
      `${rounds} times SIGTERM on ${engine}: stopped in ${rangeOf(done.map(({ ms }) => ms))} ms, ${cut.length} answers cut, ${lost.length} writes lost`,
    )
    for (const { acknowledged, ending, ms, cut, lost, integrity, said } of done) {
      expect(ending).toEqual({ code: 0, signal: null })
      expect(cut).toEqual([])
      expect(lost).toEqual([])
      expect(integrity).toBe('ok')
      expect(said).toBe('')
      expect(acknowledged).toBeGreaterThan(40)
      if (isLong) expect(ms).toBeLessThan(5000)
    }
  })
})

/** Stops the server with SIGTERM under a mixed load of writes at a random moment. */
async function terminateRounds(engine: Engine, rounds: number) {
  const random = seededRandom(seed)
  const database = await createTestDatabase(engine)
  const folder = await temporaryFolder()
  const env = { SNAPSHOT_DIR: folder }
  const done = []
  let server = await startProcess({ databaseUrl: database.url, env })
  try {
    const fixture = await prepareFixture(database.url, server.url)
    for (let round = 0; round < rounds; round++) {
      const load = await startMixedLoad({ url: server.url, fixture, seed: seed + round })
      await load.untilMore(50 + random() * (isLong ? 150 : 20))
      const started = performance.now()
      const ending = await server.end('SIGTERM')
      const ms = performance.now() - started
      await load.stop()
      const said = server.output().replace(/^Skillpass listens on .*\n/, '')
      server = await startProcess({ databaseUrl: database.url, env })
      const { lost, keptUnanswered } = await load.verify(database.url, server.url)
      done.push({
        // Answers whose head came and whose body broke off, and writes kept without an answer.
        cut: [...load.broken, ...keptUnanswered],
        acknowledged: load.acknowledged(),
        ending,
        ms,
        lost,
        integrity: checkIntegrity(database.url),
        said,
      })
    }
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
  return done
}
