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
 * In each round, ends the server by a signal at a random moment under load, restarts it on the same
 * database and port, and compares the database with the acknowledged writes.
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
      // Count writes instead of time, so that a busy machine does not make the round empty.
      await load.untilMore(50 + random() * (isLong ? 150 : 20))
      await pause(random() * 10)
      const started = performance.now()
      const ending = await server.end(signal)
      const ms = performance.now() - started
      await load.stop()
      const printed = server.output().replace(/^Skillpass listens on .*\n/, '')
      server = await startProcess({ ...options, port: server.port })
      const { lost, keptUnanswered } = await load.verify(database.url, server.url)
      done.push({
        acknowledged: load.acknowledged(),
        lost,
        // Truncated responses, and committed writes without a response.
        cut: [...load.broken, ...keptUnanswered],
        integrity: checkIntegrity(database.url),
        ending,
        ms,
        printed,
        readyMs: server.readyMs,
      })
    }
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
  return done
}
