import type { DatabaseConnection } from 'kysely'
import { DatabaseUnavailable } from './errors.ts'
import { createHandle, type Db, type DialectName } from './handle.ts'

/** One unit of a write: everything it does with `trx` is kept or undone together. */
export type Work<T> = (trx: Db) => Promise<T>

/** Longest a work may take in ms; it waits for nothing but its own queries, so it needs far less. */
export const workTimeoutMs = 10_000

/**
 * Runs `work` with a handle on `connection` that dies with it: a query that comes after the work
 * has ended fails instead of landing in somebody else's transaction. A failed query fails the work
 * even if the work caught the error, because Postgres would turn its commit into a rollback.
 */
export async function runWork<T>(
  dialect: DialectName,
  connection: DatabaseConnection,
  work: Work<T>,
  timeoutMs: number,
): Promise<T> {
  let ended: Error | undefined
  let failure: { error: unknown } | undefined
  const trx = createHandle(dialect, async (use) => {
    if (ended) throw ended
    if (failure) throw failure.error
    try {
      return await use(connection)
    } catch (error) {
      failure = { error }
      throw error
    }
  })

  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      ended = new DatabaseUnavailable(
        `a transaction took longer than ${timeoutMs} ms; it must await nothing but its own queries`,
      )
      reject(ended)
    }, timeoutMs)
  })
  try {
    const value = await Promise.race([work(trx), timeout])
    if (failure) throw failure.error
    return value
  } finally {
    clearTimeout(timer)
    ended ??= new Error('This transaction has ended; a query of it was not awaited.')
  }
}
