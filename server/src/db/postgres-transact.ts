import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { errorCode } from '../errors/error-code.ts'
import type { WriteOptions } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { Connections, LentConnection } from './postgres-connections.ts'
import { runWork, type Work, workTimeoutMs } from './work.ts'

const attempts = 10
/** Serialization failure and deadlock: the server has certainly rolled back. */
const retryable = new Set(['40001', '40P01'])

/** Whether a work that failed so may be run again, this often already. */
export const mayRunAgain = (error: unknown, attempt: number): boolean =>
  retryable.has(errorCode(error)) && attempt < attempts

/** What the caller is told of a work that is not run again: of conflicts that there were too many. */
export const givenUp = (error: unknown): unknown =>
  retryable.has(errorCode(error))
    ? new DatabaseUnavailable(`other writes came in between ${attempts} times`, error)
    : error

/** Runs what a deadlock may end, again after a while. */
export async function retry<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act()
    } catch (error) {
      if (!mayRunAgain(error, attempt)) throw givenUp(error)
      const longest = Math.min(1_000, 5 * 2 ** attempt)
      await pause(Math.random() * longest)
    }
  }
}

/** Runs a work in a transaction of its own. */
export const transact = <T>(
  connections: Connections,
  work: Work<T>,
  options: WriteOptions = {},
): Promise<T> =>
  lendFor(connections, options, {
    async run(connection, timeoutMs) {
      const begun = [send(connection, 'begin')]
      if (timeoutMs !== undefined) {
        begun.push(
          send(connection, `set local statement_timeout = ${timeoutMs}`),
          send(connection, `set local idle_in_transaction_session_timeout = ${timeoutMs}`),
        )
      }
      // What the work asks first is on its way before these are answered.
      const value = await runWork('postgres', connection, work, timeoutMs ?? workTimeoutMs)
      await Promise.all(begun)
      await send(connection, 'commit')
      return value
    },
    undo: (connection) => send(connection, 'rollback'),
  })

/** Runs a work that is one statement, which Postgres commits by itself. */
export const runOnce = <T>(
  connections: Connections,
  work: Work<T>,
  options: WriteOptions = {},
): Promise<T> =>
  lendFor(connections, options, {
    run(connection, timeoutMs = workTimeoutMs) {
      let isAsked = false
      const once: LentConnection = {
        ...connection,
        executeQuery: async (query) => {
          if (isAsked) throw new Error('A write that is one statement asked for a second one.')
          isAsked = true
          return connection.executeQuery(query)
        },
      }
      return runWork('postgres', once, work, timeoutMs)
    },
  })

/** What is done with a connection, and after a failure, before others get it. */
interface Use<T> {
  run(connection: LentConnection, timeoutMs: number | undefined): Promise<T>
  undo?(connection: LentConnection): Promise<unknown>
}

/** Uses a connection and gives it back; one that is in doubt afterwards is closed. */
async function lendFor<T>(
  connections: Connections,
  options: WriteOptions,
  { run, undo }: Use<T>,
): Promise<T> {
  const connection = await lendTo(connections, options)
  try {
    const value = await run(connection, options.timeoutMs)
    connection.release()
    return value
  } catch (error) {
    try {
      // After a lost connection or a work that hangs only closing it is sure to roll back.
      if (error instanceof DatabaseUnavailable) throw error
      await undo?.(connection)
      connection.release()
    } catch {
      connection.destroy()
    }
    throw error
  }
}

/** A connection for a client that still waits once it is there. */
async function lendTo(connections: Connections, { timeoutMs, signal }: WriteOptions) {
  signal?.throwIfAborted()
  const connection = await connections.lend(timeoutMs)
  if (!signal?.aborted) return connection
  connection.release()
  throw signal.reason
}

/** Sends a statement that gives nothing. What comes behind it need not wait for the answer. */
export function send(connection: LentConnection, statement: string): Promise<unknown> {
  const answer = connection.executeQuery(CompiledQuery.raw(statement))
  // Whoever awaits it hears of a failure; who does not, by the failure of what comes after.
  answer.catch(() => {})
  return answer
}
