import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { errorCode } from '../errors/error-code.ts'
import { createOutage } from '../runtime/outage.ts'
import { dropIfLeft, dropped } from '../runtime/patience.ts'
import { createBreaker, type TimeLimits } from './breaker.ts'
import type { Database, DatabaseOptions, WriteOptions } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { createHandle } from './handle.ts'
import {
  type Connections,
  configOf,
  createConnections,
  type LentConnection,
} from './postgres-connections.ts'
import { isFull } from './postgres-errors.ts'
import { placeOf, probePostgres } from './postgres-probe.ts'
import { waitForPostgres } from './postgres-wait.ts'
import { runWork, type Work, workTimeoutMs } from './work.ts'

/** A request takes 6 s at most, whatever happens: it waits for a connection, and for one statement. */
const defaultLimits: TimeLimits = {
  statement: 3_500,
  connection: 2_300,
  suspicion: 1_000,
  probe: 1_000,
  pause: 250,
}

const attempts = 10
/** Serialization failure and deadlock: the server has certainly rolled back. */
const retryable = new Set(['40001', '40P01'])

/** Connects to a `postgres://` URL. Reads and writes have a pool each, so neither starves the other. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, log, limits = defaultLimits, waitMs = 0 } = options
  const config = configOf(url, limits)
  const place = placeOf(config)
  const named = `Postgres at ${place.name}`
  const outage = log && createOutage(log, `${named} is away`, `${named} is back`)
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
  await waitForPostgres(breaker.ask, { named, longest: waitMs, log })
  return {
    dialect: 'postgres',
    read: createHandle('postgres', (use) => use(reads.any)),
    write: (work, options) => retry(() => transact(writes, work, options)),
    ping: breaker.ask,
    isAway: () => breaker.outage() !== undefined,
    backup: async () => {
      throw new Error('A Postgres database is backed up with pg_dump, not with this command.')
    },
    scrub: async () => {},
    close: async () => {
      breaker.close()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

async function transact<T>(
  connections: Connections,
  work: Work<T>,
  { timeoutMs, caller }: WriteOptions = {},
): Promise<T> {
  dropIfLeft(caller)
  const connection = await connections.lend(timeoutMs)
  if (caller?.hasLeft()) {
    connection.release()
    throw dropped()
  }
  const run = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
  try {
    await run('begin')
    if (timeoutMs !== undefined) {
      await run(`set local statement_timeout = ${timeoutMs}`)
      await run(`set local idle_in_transaction_session_timeout = ${timeoutMs}`)
    }
    const value = await runWork('postgres', connection, work, timeoutMs ?? workTimeoutMs)
    await run('commit')
    connection.release()
    return value
  } catch (error) {
    await undo(connection, error)
    throw error
  }
}

/** After a lost connection or a work that hangs only closing the connection is sure to roll back. */
async function undo(connection: LentConnection, failure: unknown): Promise<void> {
  try {
    if (failure instanceof DatabaseUnavailable) throw failure
    await connection.executeQuery(CompiledQuery.raw('rollback'))
    connection.release()
  } catch {
    connection.destroy()
  }
}

async function retry<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      if (!retryable.has(errorCode(error)) || attempt === attempts) throw error
      const longest = Math.min(1_000, 5 * 2 ** attempt)
      await pause(Math.random() * longest)
    }
  }
}
