import { removeOldEntries } from './audit/retention.ts'
import type { AppContext } from './context.ts'
import { inBatches } from './db/in-batches.ts'
import { removeExpired } from './oauth/expired.ts'
import { forgetReaders } from './registry/catalogue/write-behind.ts'
import { removeUnusedEmbeddings } from './registry/embeddings/worker.ts'
import { forgetUsage } from './registry/quotas/spend.ts'
import { oldestSnapshot } from './registry/snapshots/load.ts'
import { purgeDeletedSkills } from './registry/store/skills.ts'
import { deleteSnapshotMarksBefore } from './registry/store/snapshot-marks.ts'
import { reweighVotes } from './registry/votes/reweigh.ts'
import { removeOldDeliveries } from './webhooks/deliveries.ts'

/** How often counts are written, and how often old rows are removed, ms. */
const flushInterval = 2000
const purgeInterval = 3_600_000
const expiryInterval = 60_000

/** A deleted skill's address stays reserved this long (open-points A). */
const reservation = 30 * 86_400_000
const purgeBatch = 500

/** Writes collected counts and removes what has had its time, until it is stopped. */
export function startHousekeeping(ctx: AppContext): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const run = (work: () => Promise<unknown>) => {
    running = running.then(work).then(
      () => {},
      (error: unknown) => {
        ctx.log.warn({ err: error }, 'housekeeping failed, trying again later')
      },
    )
  }
  const flush = setInterval(() => run(() => ctx.tally.flush()), flushInterval)
  const purge = setInterval(() => run(() => removeOld(ctx)), purgeInterval)
  const expiry = setInterval(() => {
    run(() => removeExpired(ctx))
    run(() => ctx.failedSignIns.flush())
  }, expiryInterval)
  for (const timer of [flush, purge, expiry]) timer.unref()
  return {
    async stop() {
      clearInterval(flush)
      clearInterval(purge)
      clearInterval(expiry)
      run(() => ctx.tally.flush())
      run(() => ctx.failedSignIns.flush())
      await running
    },
  }
}

/**
 * Removes marks of old snapshots, deleted skills after their reservation, readers and usage of past days,
 * vectors that no node uses any more, old deliveries and old entries of the audit log; weighs votes again
 * whose agents grew older.
 */
export async function removeOld(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now()
  // First, so that no start uses a snapshot that holds skills of which every trace is gone.
  await ctx.db.write((trx) => deleteSnapshotMarksBefore(trx, now - oldestSnapshot))
  const before = now - reservation
  await inBatches(ctx.db, purgeBatch, (trx, limit) => purgeDeletedSkills(trx, before, limit))
  await forgetReaders(ctx)
  await forgetUsage(ctx)
  await reweighVotes(ctx)
  await removeUnusedEmbeddings(ctx)
  await removeOldDeliveries(ctx)
  await removeOldEntries(ctx)
}
