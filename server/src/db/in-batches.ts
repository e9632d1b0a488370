import type { Database } from './database.ts'
import type { Db } from './handle.ts'

/** Rows per transaction. Small batches let the writes of requests run in between. */
const limit = 200

/** Removes up to `limit` rows per transaction, until a batch removes fewer. Returns the total. */
export async function inBatches(
  db: Pick<Database, 'write'>,
  remove: (trx: Db, limit: number) => Promise<number>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await db.write((trx) => remove(trx, limit))
    removed += count
    if (count < limit) return removed
  }
}
