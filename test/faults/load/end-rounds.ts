import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '../../support/cleanup.ts'
import { createTestDatabase, type Engine } from '../../support/databases.ts'
import { startProcess } from '../../support/processes.ts'
import { seededRandom } from '../../support/random.ts'
import { isLong, seed } from '../../support/rounds.ts'
import { checkIntegrity } from '../integrity.ts'
import { prepareFixture } from './fixture.ts'
import { startMixedLoad } from './mixed-load.ts'

/**
 * Ends the server by a signal under a mixed load of writes at a random moment, starts it again on the
 * same database and port, and holds what was acknowledged against what is there; so many rounds.
 */
export async function endRounds(engine: Engine, signal: 'SIGKILL' | 'SIGTERM', rounds: number) {
  const random = seededRandom(seed)
  const database = await createTestDatabase(engine)
  const options = { databaseUrl: database.url, env: { SNAPSHOT_DIR: await temporaryFolder() } }
  const done = []
  let server = await startProcess(options)
  try {
    const fixture = await prepareFixture(database.url, server.url)
    for (let round = 0; round < rounds; round++) {
      const load = await startMixedLoad({ url: server.url, fixture, seed: seed + round })
      // By number, not by time: a busy machine must not make the round an empty one.
      await load.untilMore(50 + random() * (isLong ? 150 : 20))
      await pause(random() * 10)
      const started = performance.now()
      const ending = await server.end(signal)
      const ms = performance.now() - started
      await load.stop()
      const said = server.output().replace(/^Skillpass listens on .*\n/, '')
      server = await startProcess({ ...options, port: server.port })
      const { lost, keptUnanswered } = await load.verify(database.url, server.url)
      done.push({
        acknowledged: load.acknowledged(),
        lost,
        // Answers whose head came and whose body broke off, and writes kept without an answer.
        cut: [...load.broken, ...keptUnanswered],
        integrity: checkIntegrity(database.url),
        ending,
        ms,
        said,
        readyMs: server.readyMs,
      })
    }
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
  return done
}
