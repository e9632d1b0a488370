import { parseArgs } from 'node:util'
import { createTestDatabase, type Engine, engines } from '../support/databases.ts'
import { makeFolder } from '../support/folder.ts'
import { seededRandom } from '../support/random.ts'
import { runAsScript } from '../support/script.ts'
import { type Ending, startProcess } from '../support/server-process.ts'
import { checkIntegrity } from './kill.ts'
import { sumOf } from './load/load.ts'
import { startMixedLoad } from './load/mixed-load.ts'
import { prepareScene, type Scene } from './load/scene.ts'

export interface TerminateRound {
  acknowledged: number
  kinds: Record<string, number>
  ending: Ending
  /** From the signal to the end of the process. */
  ms: number
  /** Answers whose head came and whose body broke off, and writes kept without an answer. */
  cut: string[]
  lost: string[]
  integrity: string
  /** What the process said; nothing, unless something went wrong. */
  said: string
}

/** Stops the server with SIGTERM under the writes of 32 clients at a random moment. */
export async function terminateRounds(
  engine: Engine,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<TerminateRound[]> {
  const random = seededRandom(seed)
  const database = await createTestDatabase(engine)
  const folder = await makeFolder()
  const env = { SNAPSHOT_DIR: folder.path }
  const done: TerminateRound[] = []
  let scene: Scene | undefined
  try {
    for (let round = 0; round < rounds; round++) {
      const server = await startProcess({ databaseUrl: database.url, env })
      scene ??= await prepareScene(database.url, server.url)
      const load = await startMixedLoad({ url: server.url, scene, seed: seed + round })
      await load.untilMore(50 + random() * 150)
      const started = performance.now()
      const ending = await server.end('SIGTERM')
      const ms = performance.now() - started
      await load.stop()
      const { lost, keptUnanswered } = await load.notes.verify(database.url)
      done.push({
        acknowledged: load.acknowledged(),
        kinds: load.kinds(),
        ending,
        ms,
        cut: [...load.broken, ...keptUnanswered],
        lost,
        integrity: checkIntegrity(database.url),
        said: server.output().replace(/^Skillpass listens on .*\n/, ''),
      })
    }
  } finally {
    await database.remove()
    await folder.remove()
  }
  return done
}

/** Rounds in one line. */
export function summarise(rounds: TerminateRound[]) {
  return {
    rounds: rounds.length,
    acknowledged: rounds.reduce((sum, round) => sum + round.acknowledged, 0),
    ...sumOf(rounds.map(({ kinds }) => kinds)),
    'cut answers': rounds.reduce((sum, { cut }) => sum + cut.length, 0),
    lost: rounds.reduce((sum, { lost }) => sum + lost.length, 0),
    'not exit 0': rounds.filter(({ ending }) => ending.code !== 0).length,
    'worst, ms': Math.round(Math.max(...rounds.map(({ ms }) => ms))),
  }
}

runAsScript(import.meta.url, async () => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  for (const engine of engines) {
    const rounds = await terminateRounds(engine, { rounds: Number(values.rounds), seed })
    const summary = summarise(rounds)
    console.log(`SIGTERM on ${engine}, seed ${seed}:`, summary)
    for (const { cut, said } of rounds) if (cut.length > 0 || said) console.log(cut, said)
    if (summary['cut answers'] + summary.lost + summary['not exit 0'] > 0) process.exitCode = 1
  }
})
