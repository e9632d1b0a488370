import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext } from './context.ts'
import type { Catalogue } from './discovery/catalogue.ts'
import { openCatalogue } from './discovery/open.ts'
import { snapshotJob } from './discovery/snapshot.ts'
import { snapshotFolder } from './discovery/snapshot-folder.ts'
import { prepareDatabase } from './encryption/stored.ts'
import { isOutage } from './errors/outage.ts'
import { listJobs } from './jobs.ts'
import { startJobs } from './runtime/run-jobs.ts'
import { createSender } from './webhooks/sender.ts'

/**
 * Brings a server that listens already to where it serves everything: migrates the database, fills the
 * catalogue, which `take` puts in place, and begins what runs beside the requests, which it gives.
 * Throws once `signal` aborts.
 */
export async function startServing(
  ctx: AppContext,
  take: (catalogue: Catalogue) => void,
  signal: AbortSignal,
) {
  const { config, readiness } = ctx
  await throughOutages(ctx, signal, () => prepareDatabase(ctx))
  readiness.end('migrations')
  const { services } = config
  const snapshots = services.has('registry') ? await fillCatalogue(ctx, take, signal) : undefined
  signal.throwIfAborted()
  readiness.end('catalogue')
  const sender = services.has('oauth') ? createSender(ctx) : undefined
  const jobs = startJobs(ctx.log, listJobs(ctx, [snapshots, sender?.job]))
  return {
    /** Ends it once `closing` says that no request runs; gives the last snapshot up at `deadline`. */
    async stop(deadline: AbortSignal, closing: Promise<void>): Promise<void> {
      await Promise.all([closing, jobs.stop().then(() => sender?.drain())])
      await jobs.finish(deadline)
    },
  }
}

/** How often a start looks whether the database is back, ms. */
const lookInterval = 250

/** Does a part of the start again if the database goes away meanwhile: the server listens already. */
async function throughOutages<T>(
  { db }: Pick<AppContext, 'db'>,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isOutage(error)) throw error
    }
    do await pause(lookInterval, undefined, { signal })
    while (db.isAway())
  }
}

/** Fills the catalogue. Returns the job that writes its snapshots, if there is a folder for them. */
async function fillCatalogue(
  ctx: AppContext,
  take: (catalogue: Catalogue) => void,
  signal: AbortSignal,
) {
  const folder = snapshotFolder(ctx.config)
  const { catalogue, from } = await throughOutages(ctx, signal, () =>
    openCatalogue(ctx, folder, signal),
  )
  take(catalogue)
  if (folder === undefined) return undefined
  return snapshotJob({ ...ctx, catalogue }, folder, from === 'snapshot')
}
