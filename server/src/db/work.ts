import type { DatabaseConnection } from 'kysely'
import { createHandle, type Db, type DialectName } from './handle.ts'

export type Work<T> = (trx: Db) => Promise<T>

/**
 * Runs `work` with a handle that is valid only during the work, so that a late query throws instead
 * of joining another transaction. A failed query fails the work even if `work` catches the error,
 * because Postgres would turn the commit into a rollback.
 */
export async function runWork<T>(
  dialect: DialectName,
  connection: DatabaseConnection,
  work: Work<T>,
): Promise<T> {
  let hasEnded = false
  let failure: { error: unknown } | undefined
  const trx = createHandle(dialect, async (use) => {
    if (hasEnded) throw new Error('This transaction has ended. Await all of its queries.')
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
