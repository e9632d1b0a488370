import type { Database } from './database.ts'
import type { Db } from './handle.ts'

/**
 * Removes rows, up to `limit` per transaction, until a batch removes fewer. Returns the total.
 * Small batches let the writes of requests run in between.
 */
export async function inBatches(
  db: Pick<Database, 'write'>,
  limit: number,
  remove: (trx: Db, limit: number) => Promise<number>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await db.write((trx) => remove(trx, limit))
    removed += count
    if (count < limit) return removed
  }
}
