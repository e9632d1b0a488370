import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { errorCode } from '../errors/error-code.ts'
import { createOutage } from '../runtime/outage.ts'
import type { Database, DatabaseOptions, TimeLimits } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { Db } from './handle.ts'
import { type Away, createAway, waitForPostgres } from './postgres-away.ts'
import { isAnswer, type PostgresPlace } from './postgres-errors.ts'
import type { Schema } from './schema.ts'
import { statementName } from './statement-names.ts'
import { runWork } from './work.ts'

/** With the probe, no request waits longer than 6 s for a database that went silent. */
const defaultLimits: TimeLimits = { connection: 1_500, statement: 2_500 }

/** For migrations and commands: a statement may look at every row, and nobody waits for it. */
export const patientLimits: TimeLimits = { connection: 5_000, statement: 30 * 60_000 }

/** Connects to a `postgres://` URL. Reads and writes have a pool each, so neither starves the other. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, log, limits = defaultLimits, waitMs = 0, noteOutage } = options
  const config = configOf(url)
  const place = placeOf(config)
  const named = `Postgres at ${place.name}`
  const outage = log && createOutage(log, `${named} is away`, `${named} is back`, noteOutage)
  const away = createAway({
    config,
    place,
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
    dialect: 'postgres',
    read: reads,
    write: (work, { isLong } = {}) =>
      retry(() =>
        (isLong ? long : writes)
          .transaction()
          .execute((trx) =>
            trx
              .getExecutor()
              .provideConnection((connection) => runWork('postgres', connection, work)),
          ),
      ),
    ping: away.ping,
    isAway: away.isAway,
    backup: async () => {
      throw new Error('A Postgres database is backed up with pg_dump, not with this command.')
    },
    close: async () => {
      away.close()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

const optionsOf = ({ connection, statement }: TimeLimits): PoolConfig => ({
  connectionTimeoutMillis: connection,
  // The server gives up first: its answer leaves the connection usable.
  statement_timeout: statement * 0.9,
  query_timeout: statement,
  // A node that was cut off in the middle of a transaction holds others up no longer.
  idle_in_transaction_session_timeout: statement * 0.8,
  // Statements that need not wait for each other's answers are sent together.
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

/** int8 and numeric arrive as text by default; here every number is a number. */
const getTypeParser: typeof types.getTypeParser = (oid, format) => {
  const isNumber = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isNumber && format !== 'binary' ? Number : types.getTypeParser(oid, format)
}

/** Where a Postgres of that URL is, as the driver reads the URL and the environment. */
function placeOf(config: ClientConfig): PostgresPlace {
  const { host, port, database = '', user = '' } = new Client(config)
  return { name: `${host}:${port}/${database}`, host, database, user }
}

interface RenewablePool extends PostgresPool {
  /** Drops every connection, once it is given back. */
  renew(): void
}

/** How often a caller waits for a connection of a database that answers its probe. */
const waits = 5

/** A pool that fails at once while the database is away, and closes connections that failed. */
function createPool(make: () => Pool, away: Away): RenewablePool {
  function open(): Pool {
    const pool = make()
    // Without listeners, one killed backend ends the process.
    pool.on('error', (error) => void away.failureOf(error))
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  let pool = open()

  /** Waits for a connection: again while all are busy, but not for a database that is away. */
  async function connect(): Promise<PoolClient> {
    for (let attempt = 1; ; attempt++) {
      away.check()
      try {
        return await pool.connect()
      } catch (error) {
        const failure = await away.failureOf(error)
        if (isAnswer(error) || away.isAway() || attempt === waits) throw failure
      }
    }
  }

  return {
    async connect() {
      const client = await connect()
      let isBroken = false
      const run = async (text: string, values: readonly unknown[] = []) => {
        try {
          // A statement without values begins or ends a transaction; it is not worth a name.
          const name = values.length > 0 ? statementName(text) : undefined
          return await client.query({ text, values: [...values], ...(name && { name }) })
        } catch (error) {
          isBroken ||= !isAnswer(error)
          throw await away.failureOf(error)
        }
      }
      return {
        // biome-ignore lint/suspicious/noExplicitAny: kysely declares an overload for cursors too.
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
/** Serialization failure and deadlock: the server has certainly rolled back. */
const retryable = new Set(['40001', '40P01'])

/** Runs a whole transaction again after a conflict with another one. */
async function retry<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact()
    } catch (error) {
      if (!retryable.has(errorCode(error))) throw error
      if (attempt === attempts) {
        throw new DatabaseUnavailable(`other writes came in between ${attempts} times`, error)
      }
      await pause(Math.random() * Math.min(1_000, 5 * 2 ** attempt))
    }
  }
}
