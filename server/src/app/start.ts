import { setTimeout as pause } from 'node:timers/promises'
import type { Catalogue, RegistryContext } from '../catalogue/catalogue.ts'
import { openCatalogue, snapshotFolder, snapshotJob } from '../catalogue/snapshot.ts'
import { isOutage } from '../errors/outage.ts'
import { watchSchema } from '../http/health.ts'
import { startJobs } from '../runtime/run-jobs.ts'
import { createSender } from '../webhooks/sender.ts'
import { listJobs } from './jobs.ts'
import { prepareDatabase } from './prepare-database.ts'

/**
 * Completes the start of a server that is already listening: migrates the database, loads the
 * catalogue, passes it to `setCatalogue`, and starts the jobs. Throws if `signal` aborts.
 */
export async function startServing(
  ctx: RegistryContext,
  setCatalogue: (catalogue: Catalogue) => void,
  signal: AbortSignal,
) {
  const { config, readiness } = ctx
  await retryDuringOutages(ctx, signal, async () => {
    await prepareDatabase(ctx)
    await watchSchema(ctx)
  })
  readiness.waits.delete('migrations')
  const { services } = config
  const snapshots = services.has('registry')
    ? await fillCatalogue(ctx, setCatalogue, signal)
    : undefined
  signal.throwIfAborted()
  readiness.waits.delete('catalogue')
  const sender = services.has('oauth') ? createSender(ctx) : undefined
  const jobs = listJobs(ctx, [snapshots, sender?.job])
  const running = startJobs(ctx.log, jobs)
  return {
    /** Runs a job now, or each of them. Throws its error. */
    async runJob(name?: string): Promise<void> {
      const named = jobs.filter((job) => name === undefined || job.name === name)
      if (named.length === 0) throw new Error(`The server has no job "${name}".`)
      for (const job of named) await job.run(signal)
    },
    sender,
    reload: async () => {
      if (services.has('registry')) await fillCatalogue(ctx, setCatalogue, signal)
    },
    /** Stops the jobs. Runs `atStop` after `closing`, until `deadline`. */
    async stop(deadline: AbortSignal, closing: Promise<void>): Promise<void> {
      await Promise.all([closing, running.stop().then(() => sender?.drain())])
      await running.finish(deadline)
    },
  }
}

/** How often the start checks whether the database is available again, ms. */
const checkInterval = 250

/** Repeats a step of the start while the database is unavailable. */
async function retryDuringOutages<T>(
  { db }: RegistryContext,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isOutage(error)) throw error
    }
    do await pause(checkInterval, undefined, { signal })
    while (db.isAway())
  }
}

/** Loads the catalogue. Returns the job that writes snapshots, if a folder is configured. */
async function fillCatalogue(
  ctx: RegistryContext,
  setCatalogue: (catalogue: Catalogue) => void,
  signal: AbortSignal,
) {
  const folder = snapshotFolder(ctx.config)
  const { catalogue, from } = await retryDuringOutages(ctx, signal, () =>
    openCatalogue(ctx, folder, signal),
  )
  setCatalogue(catalogue)
  if (folder === undefined) return undefined
  return snapshotJob({ ...ctx, catalogue }, folder, from === 'snapshot')
}
