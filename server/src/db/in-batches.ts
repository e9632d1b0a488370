import type { Database } from './database.ts'
import type { Db } from './handle.ts'

/**
 * Removes rows, up to `limit` in each transaction, until fewer are left; gives how many. Batches are
 * small so that no request waits long for its turn to write.
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
