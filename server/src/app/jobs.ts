import { hostname } from 'node:os'
import { forgetUsage } from '../agents/quotas.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { catchUp } from '../catalogue/change-feed.ts'
import { purgeReaders } from '../catalogue/counters.ts'
import { voteRetention } from '../catalogue/trust.ts'
import { removeOldChanges } from '../changes/changes.ts'
import { rereadJudgedTexts } from '../copies/judged-texts.ts'
import { noteEnd, noteUse } from '../db/migrations/migrate.ts'
import { inBatches } from '../db/query.ts'
import { watchSchema } from '../http/health.ts'
import { followMirrors } from '../mirrors/follow.ts'
import { lintPending } from '../moderation/verdicts.ts'
import { removeExpired } from '../oauth/expired.ts'
import { removeUnusedClients } from '../oauth/register.ts'
import type { Job } from '../runtime/run-jobs.ts'
import { moveBlobs, removeUnusedBlobs } from '../skills/bundles/blobs.ts'
import { reservation } from '../skills/moves.ts'
import { deleteExpiredTrustedKeys } from '../store/agents/api-keys.ts'
import { deleteEntriesBefore } from '../store/audit.ts'
import { purgeMoves } from '../store/registry/moves.ts'
import { purgeDeletedSkills } from '../store/registry/skills.ts'
import { removeOldDeliveries } from '../webhooks/deliveries.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Lists the periodic work of a server. `others` are jobs that `startServing` creates. */
export function listJobs(ctx: RegistryContext, others: readonly (Job | undefined)[]): Job[] {
  const { calls, counters, failedSignIns, db } = ctx
  const [id, name] = [ctx.random.uuid(), `process ${process.pid} on ${hostname()}`]
  const jobs: Job[] = [
    { name: 'checking the schema', interval: second / 4, run: () => watchSchema(ctx) },
    {
      name: 'noting the use of the database',
      interval: 20 * second,
      atStart: true,
      run: () => noteUse(db, id, name),
      atStop: () => noteEnd(db, id),
    },
    { name: 'writing counters', interval: 2 * second, run: counters.flush, atStop: counters.flush },
    { name: 'writing calls of apps', interval: second, run: calls.flush, atStop: calls.flush },
    { name: 'removing old records', interval: hour, run: () => removeOld(ctx) },
    { name: 'removing expired records', interval: minute, run: () => removeExpired(ctx) },
    { name: 'moving blobs', interval: minute, run: () => moveBlobs(ctx) },
    {
      name: 'writing failed sign-ins',
      interval: minute,
      run: failedSignIns.flush,
      atStop: failedSignIns.flush,
    },
  ]
  const ofRegistry: Job[] = [
    // Changes of other processes must be visible within 1 s.
    { name: 'reading changes', interval: second / 4, run: (signal) => followChanges(ctx, signal) },
    {
      name: 'rereading judged texts',
      interval: hour,
      atStart: true,
      run: (signal) => rereadJudgedTexts(ctx, signal),
    },
    {
      name: 'following mirrors',
      interval: 2 * second,
      run: (signal) => followMirrors(ctx, signal),
    },
    { name: 'linting', interval: 2 * second, run: (signal) => lintPending(ctx, signal) },
  ]
  const servesRegistry = ctx.config.services.has('registry')
  return [...jobs, ...(servesRegistry ? ofRegistry : []), ...others].filter(
    (job) => job !== undefined,
  )
}

async function followChanges(ctx: RegistryContext, signal: AbortSignal): Promise<void> {
  await catchUp(ctx, signal)
  ctx.metrics.skills.set(ctx.catalogue.size)
}

/**
 * Removes deleted skills and former addresses after their reservation, readers and usage of past
 * days, unreferenced blobs, keys of workflows, old events and deliveries, unused OAuth clients and
 * old audit entries.
 */
async function removeOld(ctx: RegistryContext): Promise<void> {
  const now = ctx.clock.now()
  const before = now - reservation
  await inBatches(ctx.db, (trx, limit) =>
    purgeDeletedSkills(trx, { time: before, votedBefore: now - voteRetention, now }, limit),
  )
  await removeUnusedBlobs(ctx)
  await ctx.db.write((trx) => purgeMoves(trx, before))
  await ctx.db.write((trx) => deleteExpiredTrustedKeys(trx, before))
  await purgeReaders(ctx)
  await removeOldChanges(ctx)
  await forgetUsage(ctx)
  await removeOldDeliveries(ctx)
  await removeUnusedClients(ctx)
  await inBatches(ctx.db, (trx, limit) =>
    deleteEntriesBefore(trx, now - ctx.config.auditRetention, limit),
  )
}
