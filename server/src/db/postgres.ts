import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { errorCode } from '../errors/error-code.ts'
import { createOutage } from '../errors/report-outage.ts'
import type { Database, DatabaseOptions, TimeLimits } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { type Db, runWork } from './handle.ts'
import { type Away, createAway, waitForPostgres } from './postgres-away.ts'
import { isAnswer } from './postgres-errors.ts'
import type { Schema } from './schema.ts'

/** Together with the probe's limits, they limit a request's wait for an outage to 6 s. */
const defaultLimits: TimeLimits = { connection: 1_500, statement: 2_500 }

/** For migrations and commands, whose statements may read every row. */
export const patientLimits: TimeLimits = { connection: 5_000, statement: 30 * 60_000 }

/** Connects to a `postgres://` URL. Reads and writes have separate pools, so neither starves. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, log, limits = defaultLimits, waitMs = 0, noteOutage } = options
  const config = configOf(url)
  // As the driver derives them from the URL and the environment.
  const { host, port, database = '', user = '' } = new Client(config)
  const place = { name: `${host}:${port}/${database}`, host, database, user }
  const named = `Postgres at ${place.name}`
  const outage = log && createOutage(log, `${named} is away`, `${named} is back`, noteOutage)
  const away = createAway(config, place, {
    onAway(reason) {
      outage?.failed({ reason })
      for (const pool of pools) pool.renew()
    },
    onBack: () => outage?.worked(),
  })
  const poolOf = (max: number, limits: TimeLimits) =>
    createPool(() => new Pool({ ...config, ...optionsOf(limits), max }), away)
  const pools = [
    poolOf(Math.ceil(poolSize / 2), limits),
    poolOf(Math.max(1, Math.floor(poolSize / 2)), limits),
    poolOf(1, patientLimits),
  ] as const
  const [reads, writes, long] = pools.map(
    (pool) => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
  ) as [Db, Db, Db]
  await waitForPostgres(away, { named, longest: waitMs, log })
  return {
    read: reads,
    write: (work, { isLong } = {}) =>
      retry(() =>
        (isLong ? long : writes).transaction().execute((trx) => {
          const executor = trx.getExecutor()
          return executor.provideConnection((connection) => runWork('postgres', connection, work))
        }),
      ),
    ping: away.ping,
    isAway: away.isAway,
    backup: async () => {
      throw new Error('Use pg_dump to back up a Postgres database.')
    },
    close: async () => {
      away.close()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

const optionsOf = ({ connection, statement }: TimeLimits): PoolConfig => ({
  connectionTimeoutMillis: connection,
  // The server's limit is shorter, because the connection stays usable after it.
  statement_timeout: statement * 0.9,
  query_timeout: statement,
  // Ends the transaction of a node that lost its connection, so that it blocks no others.
  idle_in_transaction_session_timeout: statement * 0.8,
  // Pipelines statements that do not depend on each other's results.
  pipeline: true,
})

function configOf(connectionString: string): ClientConfig {
  return {
    connectionString,
    types: { getTypeParser },
    application_name: 'skillpass',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

/** Parses int8 and numeric as numbers. The driver returns text by default. */
const getTypeParser: typeof types.getTypeParser = (oid, format) => {
  const isNumber = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isNumber && format !== 'binary' ? Number : types.getTypeParser(oid, format)
}

interface RenewablePool extends PostgresPool {
  /** Drops each connection when it is released. */
  renew(): void
}

/** Maximum attempts to get a connection while probes succeed. */
const connectAttempts = 5

/** A pool that fails at once while the database is unavailable, and closes failed connections. */
function createPool(make: () => Pool, away: Away): RenewablePool {
  function open(): Pool {
    const pool = make()
    // Without a listener, one killed backend would end the process.
    pool.on('error', (error) => void away.failureOf(error))
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  let pool = open()
  const statementName = createStatementNames()

  /** Waits for a connection. Retries while all are busy, unless the database is unavailable. */
  async function connect(): Promise<PoolClient> {
    for (let attempt = 1; ; attempt++) {
      away.check()
      try {
        return await pool.connect()
      } catch (error) {
        const failure = await away.failureOf(error)
        if (isAnswer(error) || away.isAway() || attempt === connectAttempts) throw failure
      }
    }
  }

  return {
    async connect() {
      const client = await connect()
      let isBroken = false
      const run = async (text: string, values: readonly unknown[] = []) => {
        try {
          // Statements without values only begin or end transactions. Do not prepare them.
          const name = values.length > 0 ? statementName(text) : undefined
          return await client.query({ text, values: [...values], ...(name && { name }) })
        } catch (error) {
          isBroken ||= !isAnswer(error)
          throw await away.failureOf(error)
        }
      }
      return {
        // biome-ignore lint/suspicious/noExplicitAny: Kysely declares an overload for cursors too.
        query: (text: any, values?: readonly unknown[]): any => run(text, values),
        release: () => client.release(isBroken),
      }
    },
    async end() {
      if (!pool.ending) await pool.end()
    },
    renew() {
      void pool.end()
      pool = open()
    },
  }
}

const attempts = 10
/** Serialization failure and deadlock: the server has rolled back. */
const retryable = new Set(['40001', '40P01'])

/** Repeats a transaction after a conflict with another one. */
async function retry<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact()
    } catch (error) {
      if (!retryable.has(errorCode(error))) throw error
      if (attempt === attempts) {
        throw new DatabaseUnavailable(`the write conflicted with others ${attempts} times`, error)
      }
      await pause(Math.random() * Math.min(1_000, 5 * 2 ** attempt))
    }
  }
}

/** Maximum number of statement texts whose uses are counted. */
const maxCounted = 1_000
/** Maximum number of prepared statements per connection. */
const maxNamed = 400
const usesBeforePreparing = 5

/**
 * Returns a function that names the prepared statement of a text, or returns undefined for a rarely
 * used one. Planning a join of three tables takes several times as long as running it.
 */
function createStatementNames() {
  const uses = new LRUCache<string, { count: number }>({ max: maxCounted })
  const names = new Map<string, string>()
  return (sql: string): string | undefined => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxNamed) return known
    const use = uses.get(sql) ?? { count: 0 }
    use.count++
    uses.set(sql, use)
    if (use.count < usesBeforePreparing) return undefined
    const name = `skillpass_${names.size}`
    names.set(sql, name)
    uses.delete(sql)
    return name
  }
}
