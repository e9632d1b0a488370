import type { DatabaseConnection } from 'kysely'
import { createHandle, type Db, type DialectName } from './handle.ts'

/** One unit of a write: everything it does with `trx` is kept or undone together. */
export type Work<T> = (trx: Db) => Promise<T>

/**
 * Runs `work` with a handle on `connection` that dies with it: a query that comes after the work
 * has ended fails instead of landing in somebody else's transaction. A failed query fails the work
 * even if the work caught the error, because Postgres would turn its commit into a rollback.
 */
export async function runWork<T>(
  dialect: DialectName,
  connection: DatabaseConnection,
  work: Work<T>,
): Promise<T> {
  let hasEnded = false
  let failure: { error: unknown } | undefined
  const trx = createHandle(dialect, async (use) => {
    if (hasEnded) throw new Error('This transaction has ended; a query of it was not awaited.')
    if (failure) throw failure.error
    try {
      return await use(connection)
    } catch (error) {
      failure = { error }
      throw error
    }
  })
  try {
    const value = await work(trx)
    if (failure) throw failure.error
    return value
  } finally {
    hasEnded = true
  }
}
