import type { Context } from '../context/context.ts'
import { inBatches } from '../db/in-batches.ts'
import { deleteEntriesBefore } from './store/entries.ts'

const batch = 500

/** Removes entries that have had their time (`AUDIT_RETENTION_DAYS`). */
export async function removeOldEntries(
  ctx: Pick<Context, 'clock' | 'config' | 'db'>,
): Promise<void> {
  const before = ctx.clock.now() - ctx.config.auditRetention
  await inBatches(ctx.db, batch, (trx, limit) => deleteEntriesBefore(trx, before, limit))
}
