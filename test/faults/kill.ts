import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import SqliteConnection from 'better-sqlite3'
import { createTestDatabase, type Engine, engines } from '../support/databases.ts'
import { seededRandom } from '../support/random.ts'
import { runAsScript } from '../support/script.ts'
import { startProcess } from '../support/server-process.ts'
import { sumOf } from './load/load.ts'
import { startMixedLoad } from './load/mixed-load.ts'
import { prepareScene } from './load/scene.ts'

export interface KillRound {
  /** Acknowledged writes of the round. */
  acknowledged: number
  kinds: Record<string, number>
  /** Facts held against the database after the restart. */
  checked: number
  /** What was acknowledged and is not there, or is answered wrongly. */
  lost: string[]
  integrity: string
  listenMs: number
  readyMs: number
}

/**
 * Kills the server with SIGKILL under the writes of 32 clients at a random moment, starts it again
 * on the same database and port, and holds what was acknowledged against what is there.
 */
export async function killRounds(
  engine: Engine,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<KillRound[]> {
  const random = seededRandom(seed)
  const database = await createTestDatabase(engine)
  const done: KillRound[] = []
  let server = await startProcess({ databaseUrl: database.url })
  try {
    const scene = await prepareScene(database.url, server.url)
    for (let round = 0; round < rounds; round++) {
      const load = await startMixedLoad({ url: server.url, scene, seed: seed + round })
      // By number, not by time: a busy machine must not make the round an empty one.
      await load.untilMore(50 + random() * 150)
      await pause(random() * 10)
      await server.end('SIGKILL')
      await load.stop()
      server = await startProcess({ databaseUrl: database.url, port: server.port })
      const { checked, lost } = await load.notes.verify(database.url)
      done.push({
        acknowledged: load.acknowledged(),
        kinds: load.kinds(),
        checked,
        lost: [...lost, ...(await load.notes.verifyAnswers(server.url))],
        integrity: checkIntegrity(database.url),
        listenMs: server.listenMs,
        readyMs: server.readyMs,
      })
    }
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
  return done
}

/** SQLite's own word on a file, `ok` when it is whole; Postgres looks after itself. */
export function checkIntegrity(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file:')) return 'ok'
  const db = new SqliteConnection(databaseUrl.slice('file:'.length), { readonly: true })
  try {
    const keys = db.pragma('foreign_key_check') as unknown[]
    if (keys.length > 0) return `${keys.length} rows point nowhere`
    return String(db.pragma('integrity_check', { simple: true }))
  } finally {
    db.close()
  }
}

/** Rounds in one line. */
export function summarise(rounds: KillRound[]) {
  const sum = (of: (round: KillRound) => number) => rounds.reduce((n, round) => n + of(round), 0)
  const max = (of: (round: KillRound) => number) => Math.round(Math.max(...rounds.map(of)))
  return {
    rounds: rounds.length,
    acknowledged: sum((round) => round.acknowledged),
    ...sumOf(rounds.map(({ kinds }) => kinds)),
    checked: sum((round) => round.checked),
    lost: sum((round) => round.lost.length),
    broken: rounds.filter(({ integrity }) => integrity !== 'ok').length,
    'worst start to listening, ms': max(({ listenMs }) => listenMs),
    'worst listening to ready, ms': max(({ readyMs }) => readyMs),
  }
}

runAsScript(import.meta.url, async () => {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '50' }, seed: { type: 'string' } },
  })
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  for (const engine of engines) {
    const rounds = await killRounds(engine, { rounds: Number(values.rounds), seed })
    const summary = summarise(rounds)
    console.log(`kill -9 on ${engine}, seed ${seed}:`, summary)
    for (const { lost } of rounds) for (const what of lost) console.log(`  lost: ${what}`)
    if (summary.lost + summary.broken > 0) process.exitCode = 1
  }
})
