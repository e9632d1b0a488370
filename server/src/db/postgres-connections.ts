import { Socket } from 'node:net'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { type ClientConfig, Pool, type PoolClient, types } from 'pg'
import type { Breaker, TimeLimits } from './breaker.ts'
import { DatabaseUnavailable } from './errors.ts'
import { isAnswer, type PostgresPlace, translatePostgres } from './postgres-errors.ts'
import { statementName } from './statement-names.ts'
import { workTimeoutMs } from './work.ts'

/** A connection that is lent to one user at a time, who gives it back or closes it. */
export interface LentConnection extends DatabaseConnection {
  /** Gives it back, or closes it where a statement of it got no answer. */
  release(): void
  /** Closes it, so that Postgres undoes what was begun on it. */
  destroy(): void
}

/** Connections to a Postgres; each statement on them has a limit of time. */
export interface Connections {
  /** For single statements, each on any connection. */
  readonly any: DatabaseConnection
  /**
   * Lends a connection, each of whose statements may take `statementMs`. Throws `DatabaseUnavailable`
   * where none is free in time, and at once while the database is away.
   */
  lend(statementMs?: number): Promise<LentConnection>
  /** Breaks off whatever is under way. */
  breakOff(): void
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly config: ClientConfig
  readonly place: PostgresPlace
  /** Most connections. */
  readonly size: number
  readonly breaker: Breaker
  readonly limits: TimeLimits
  /** Told of a connection that was lost while nobody used it. */
  readonly onLost: (error: Error) => void
}

/** What every connection to a Postgres of that URL has. */
export const configOf = (url: string, { statement, connection }: TimeLimits): ClientConfig => ({
  connectionString: url,
  types: { getTypeParser },
  application_name: 'skillpass',
  // Clears away what is no longer waited for.
  connectionTimeoutMillis: 2 * connection,
  // Before this side gives up: an answer leaves the connection of use.
  statement_timeout: statement * 0.9,
  // What a node holds that was cut off in the midst of a transaction, others wait for.
  idle_in_transaction_session_timeout: Math.min(workTimeoutMs, idleTransactionMs),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
})

const idleTransactionMs = 2_000

/** int8 and numeric arrive as text by default; here every number is a number. */
const getTypeParser: typeof types.getTypeParser = (oid, format) => {
  const isNumber = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isNumber && format !== 'binary' ? Number : types.getTypeParser(oid, format)
}

/** Makes connections as they are needed. */
export function createConnections(options: ConnectionOptions): Connections {
  const { config, place, size, breaker, limits, onLost } = options
  const named = `Postgres at ${place.name}`
  const sockets = new Set<Socket>()
  const stream = () => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  // Statements that need not wait for each other's answers are sent together.
  const pool = new Pool({ ...config, max: size, stream, pipeline: true })
  // Without a listener one killed backend ends the process; the pool's own covers idle clients
  // only, so each client gets one for the time it is lent out.
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', () => {}))

  /** What a caller is told: of an outage that it is one, else what has happened. */
  async function failureOf(error: unknown): Promise<unknown> {
    if (!(error instanceof DatabaseUnavailable)) await breaker.suspect()
    return breaker.outage() ?? translatePostgres(error, place)
  }

  async function take(): Promise<PoolClient> {
    const outage = breaker.outage()
    if (outage) throw outage
    const connecting = pool.connect()
    try {
      return await breaker.wait(connecting, `no connection to ${named}`, limits.connection)
    } catch (error) {
      connecting.then(
        (late) => late.release(),
        () => {},
      )
      throw await failureOf(error)
    }
  }

  async function lend(statementMs = limits.statement): Promise<LentConnection> {
    const client = await take()
    let isBroken = false
    const run = async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      try {
        // What has no values begins or ends a transaction; it is not worth a name.
        const name = parameters.length > 0 ? statementName(sql) : undefined
        const asked = client.query({ text: sql, values: [...parameters], ...(name && { name }) })
        const { command, rowCount, rows } = await breaker.wait(
          asked,
          `no answer of ${named}`,
          statementMs,
        )
        breaker.heard()
        if (command === 'SELECT' || rowCount === null) return { rows }
        return { rows, numAffectedRows: BigInt(rowCount) }
      } catch (error) {
        if (isAnswer(error)) {
          breaker.heard()
          throw translatePostgres(error, place)
        }
        isBroken = true
        throw await failureOf(error)
      }
    }
    return {
      executeQuery: run,
      streamQuery: refuseStream,
      release: () => client.release(isBroken),
      destroy: () => client.release(true),
    }
  }

  return {
    lend,
    any: {
      executeQuery: async <R>(query: CompiledQuery) => {
        const connection = await lend()
        try {
          return await connection.executeQuery<R>(query)
        } finally {
          connection.release()
        }
      },
      streamQuery: refuseStream,
    },
    breakOff() {
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      if (!pool.ending) await pool.end()
    },
  }
}

const refuseStream = () => {
  throw new Error('Streaming is not supported; page instead.')
}
