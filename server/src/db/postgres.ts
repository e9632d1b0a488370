import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import { Pool, type PoolClient, types } from 'pg'
import { errorCode } from '../errors/error-code.ts'
import { dropIfLeft, dropped } from '../runtime/patience.ts'
import type { Database, DatabaseOptions, WriteOptions } from './database.ts'
import { DatabaseUnavailable, translateError } from './errors.ts'
import { createHandle } from './handle.ts'
import { runWork, type Work, workTimeoutMs } from './work.ts'

const statementTimeoutMs = 10_000
const pingTimeoutMs = 1_000
const attempts = 10
/** Serialization failure and deadlock: the server has certainly rolled back. */
const retryable = new Set(['40001', '40P01'])

/** Connects to a `postgres://` URL. Reads and writes have a pool each, so neither starves the other. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, onConnectionError = () => {} } = options
  const reads = createPool(url, Math.ceil(poolSize / 2), onConnectionError)
  const writes = createPool(url, Math.max(1, Math.floor(poolSize / 2)), onConnectionError)
  const readConnection = asKyselyConnection(reads)
  const read = createHandle('postgres', (use) => use(readConnection))
  const database: Database = {
    dialect: 'postgres',
    read,
    write: (work, options) => retry(() => transact(writes, work, options)),
    ping: () => ping(reads),
    backup: async () => {
      throw new Error('A Postgres database is backed up with pg_dump, not with this command.')
    },
    scrub: async () => {},
    close: async () => {
      await Promise.all([reads, writes].map((pool) => (pool.ending ? undefined : pool.end())))
    },
  }
  try {
    const client = await connect(reads)
    client.release()
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

function createPool(url: string, max: number, onError: (error: Error) => void): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    types: { getTypeParser },
    application_name: 'skillpass',
    connectionTimeoutMillis: 2_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: workTimeoutMs,
  })
  // Without a listener one killed backend ends the process; the pool's own covers idle clients
  // only, so each client gets one for the time it is lent out.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** int8 and numeric arrive as text by default; here every number is a number. */
const getTypeParser: typeof types.getTypeParser = (oid, format) => {
  const isNumber = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isNumber && format !== 'binary' ? Number : types.getTypeParser(oid, format)
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw translateError('postgres', error)
  }
}

function asKyselyConnection(target: Pool | PoolClient): DatabaseConnection {
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
      try {
        const { command, rowCount, rows } = await target.query(sql, [...parameters])
        if (command === 'SELECT' || rowCount === null) return { rows }
        return { rows, numAffectedRows: BigInt(rowCount) }
      } catch (error) {
        throw translateError('postgres', error)
      }
    },
    streamQuery: () => {
      throw new Error('Streaming is not supported; page instead.')
    },
  }
}

async function transact<T>(
  pool: Pool,
  work: Work<T>,
  { timeoutMs = workTimeoutMs, caller }: WriteOptions = {},
): Promise<T> {
  dropIfLeft(caller)
  const client = await connect(pool)
  if (caller?.hasLeft()) {
    client.release()
    throw dropped()
  }
  const connection = asKyselyConnection(client)
  const run = (sql: string) => connection.executeQuery(CompiledQuery.raw(sql))
  try {
    await run('begin')
    if (timeoutMs !== workTimeoutMs) {
      await run(`set local statement_timeout = ${timeoutMs}`)
      await run(`set local idle_in_transaction_session_timeout = ${timeoutMs}`)
    }
    const value = await runWork('postgres', connection, work, timeoutMs)
    await run('commit')
    client.release()
    return value
  } catch (error) {
    await undo(client, error)
    throw error
  }
}

/** After a lost connection or a work that hangs only closing the connection is sure to roll back. */
async function undo(client: PoolClient, failure: unknown): Promise<void> {
  try {
    if (failure instanceof DatabaseUnavailable) throw failure
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
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

async function ping(pool: Pool): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new DatabaseUnavailable(`no answer within ${pingTimeoutMs} ms`))
    timer = setTimeout(late, pingTimeoutMs)
  })
  try {
    await Promise.race([pool.query('select 1'), timeout])
  } catch (error) {
    throw translateError('postgres', error)
  } finally {
    clearTimeout(timer)
  }
}
