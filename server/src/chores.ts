import { removeOldEntries } from './audit/retention.ts'
import type { AppContext } from './context.ts'
import { inBatches } from './db/in-batches.ts'
import { removeExpired } from './oauth/expired.ts'
import { removeSpareBlobs } from './registry/bundles/garbage.ts'
import { moveBlobs } from './registry/bundles/move-blobs.ts'
import { forgetReaders } from './registry/catalogue/write-behind.ts'
import { reservation } from './registry/moves.ts'
import { forgetUsage } from './registry/quotas/spend.ts'
import { purgeMoves } from './registry/store/moves.ts'
import { purgeDeletedSkills } from './registry/store/skills.ts'
import { judgementsWait } from './registry/votes/trust.ts'
import type { Chore } from './runtime/housekeeping.ts'
import { removeOldDeliveries } from './webhooks/deliveries.ts'

const purgeBatch = 500

/** What is written and removed while the server runs, and how often. */
export const chores = (ctx: AppContext): Chore[] => [
  { every: 2000, atStop: true, run: () => ctx.counters.flush() },
  { every: 3_600_000, run: () => removeOld(ctx) },
  { every: 60_000, run: () => removeExpired(ctx) },
  { every: 60_000, run: () => moveBlobs(ctx) },
  { every: 60_000, atStop: true, run: () => ctx.failedSignIns.flush() },
]

/**
 * Removes deleted skills after their reservation, former addresses, readers and
 * usage of past days, bytes that no version names, old deliveries and old entries of the audit
 * log.
 */
export async function removeOld(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now()
  const before = now - reservation
  await inBatches(ctx.db, purgeBatch, (trx, limit) =>
    purgeDeletedSkills(trx, { time: before, votedBefore: now - judgementsWait, now }, limit),
  )
  await removeSpareBlobs(ctx)
  await inBatches(ctx.db, purgeBatch, (trx, limit) => purgeMoves(trx, before, limit))
  await forgetReaders(ctx)
  await forgetUsage(ctx)
  await removeOldDeliveries(ctx)
  await removeOldEntries(ctx)
}
