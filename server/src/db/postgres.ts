import { createOutage } from '../runtime/outage.ts'
import { createBreaker, type TimeLimits } from './breaker.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { createHandle } from './handle.ts'
import { configOf, createConnections } from './postgres-connections.ts'
import { isFull } from './postgres-errors.ts'
import { placeOf, probePostgres } from './postgres-probe.ts'
import { retry, runOnce, transact } from './postgres-transact.ts'
import { createTurns } from './postgres-turns.ts'
import { waitForPostgres } from './postgres-wait.ts'

/** A request takes 6 s at most, whatever happens: it waits for a connection, and for one statement. */
export const defaultLimits: TimeLimits = {
  statement: 3_500,
  connection: 2_300,
  suspicion: 1_000,
  probe: 1_000,
  pause: 250,
}

/** For commands: a statement may look at every row, and nobody waits for it. */
export const patientLimits: TimeLimits = {
  ...defaultLimits,
  statement: 30 * 60_000,
  connection: 5_000,
}

/** Connects to a `postgres://` URL. Reads and writes have a pool each, so neither starves the other. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, log, limits = defaultLimits, waitMs = 0, noteOutage } = options
  const config = configOf(url, limits)
  const place = placeOf(config)
  const named = `Postgres at ${place.name}`
  const outage = log && createOutage(log, `${named} is away`, `${named} is back`, noteOutage)
  const breaker = createBreaker({
    limits,
    probe: (signal) => probePostgres(config, place, signal),
    silence: `no answer of ${named}`,
    isAnswer: isFull,
    onOutage(failure) {
      outage?.failed({ reason: failure.message })
      for (const pool of pools) pool.breakOff()
    },
    onEnd: () => outage?.worked(),
  })
  const onLost = async (error: Error) => {
    await breaker.suspect()
    if (!breaker.outage()) log?.warn({ err: error }, 'database connection lost')
  }
  const shared = { config, place, breaker, limits, onLost }
  const reads = createConnections({ ...shared, size: Math.ceil(poolSize / 2) })
  const writes = createConnections({ ...shared, size: Math.max(1, Math.floor(poolSize / 2)) })
  const pools = [reads, writes]
  const turns = createTurns(writes)
  await waitForPostgres(breaker.ask, { named, longest: waitMs, log })
  return {
    dialect: 'postgres',
    read: createHandle('postgres', (use) => use(reads.any)),
    write: (work, options) => retry(() => transact(writes, work, options)),
    writeInOrder: turns.write,
    writeOnce: (work, options) => retry(() => runOnce(writes, work, options)),
    ping: breaker.ask,
    isAway: () => breaker.outage() !== undefined,
    backup: async () => {
      throw new Error('A Postgres database is backed up with pg_dump, not with this command.')
    },
    scrub: async () => {},
    close: async () => {
      await turns.settled()
      breaker.close()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}
