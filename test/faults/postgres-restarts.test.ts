import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { isLong, rangeOf, reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { prepareFixture } from './load/fixture.ts'
import { startMixedLoad } from './load/mixed-load.ts'
import { clusterPrograms, createCluster, type PostgresCluster } from './postgres-cluster.ts'
import { untilReady } from './ready.ts'

const rounds = roundsOf(1)

test.skipIf(clusterPrograms === undefined)(
  'a server whose Postgres restarts under load stays alive and loses no acknowledged write (skipped without initdb)',
  async () => {
    const cluster = await createCluster()
    try {
      const done = await restartRounds(cluster)
      const lost = done.flatMap((round) => round.lost)
      reportFigure(
        `${rounds} restarts of Postgres: ${rangeOf(done.map((round) => round.acknowledged))} writes acknowledged each, ${lost.length} lost, ready ${rangeOf(done.map((round) => round.readyMs))} ms after it was back`,
      )
      for (const { acknowledged, lost, readyMs, answers } of done) {
        expect(lost).toEqual([])
        expect(acknowledged).toBeGreaterThan(40)
        if (isLong) expect(readyMs).toBeLessThan(3000)
        // A request that Postgres cannot serve is a 503, never a 500. A refresh token whose answer was lost
        // may be used up, which is a 400.
        const others = Object.keys(answers).filter(
          (status) => !/^(2..|303|400|409|503)$/.test(status),
        )
        expect(others).toEqual([])
      }
    } finally {
      await cluster.remove()
    }
  },
)

/** Stops Postgres at a random moment under load and starts it again, as often as there are rounds. */
async function restartRounds(cluster: PostgresCluster) {
  const random = seededRandom(seed)
  const done = []
  const server = await startProcess({ databaseUrl: cluster.url, env: { LOG_LEVEL: 'fatal' } })
  try {
    const fixture = await prepareFixture(cluster.url, server.url)
    for (let round = 0; round < rounds; round++) {
      const mode = round % 2 === 0 ? ('immediate' as const) : ('fast' as const)
      const load = await startMixedLoad({ url: server.url, fixture, seed: seed + round, agents: 6 })
      await load.untilMore(50 + random() * 150)
      await pause(random() * 10)
      await cluster.stop(mode)
      await pause(random() * 500)
      await cluster.start()
      expect(server.isAlive()).toBe(true)
      const readyMs = await untilReady(server)
      await load.untilMore(30)
      await load.stop()
      const { lost } = await load.notes.verify(cluster.url)
      done.push({
        acknowledged: load.acknowledged(),
        lost: [...lost, ...(await load.notes.verifyAnswers(server.url))],
        readyMs,
        answers: load.answers,
      })
    }
  } finally {
    await server.end('SIGTERM')
  }
  return done
}
