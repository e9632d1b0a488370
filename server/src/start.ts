import { setTimeout as pause } from 'node:timers/promises'
import { chores } from './chores.ts'
import type { AppContext } from './context.ts'
import { prepareDatabase } from './encryption/stored.ts'
import { isOutage } from './errors/outage.ts'
import type { Catalogue } from './registry/catalogue/catalogue.ts'
import { followChanges } from './registry/catalogue/change-feed.ts'
import { openCatalogue } from './registry/catalogue/open.ts'
import { keepSnapshots } from './registry/catalogue/snapshot.ts'
import { snapshotFolder } from './registry/catalogue/snapshot-folder.ts'
import { startLinting } from './registry/verdicts.ts'
import { startHousekeeping } from './runtime/housekeeping.ts'
import { startSender } from './webhooks/sender.ts'

/** What runs beside the requests of a server that is ready. */
export interface Background {
  /** Ends it once `closing` says that no request runs; gives the last snapshot up at `deadline`. */
  stop(deadline: AbortSignal, closing: Promise<void>): Promise<void>
}

/**
 * Brings a server that listens already to where it serves everything: migrates the database, fills the
 * catalogue, which `take` puts in place, and begins what runs beside the requests. Throws once
 * `signal` aborts.
 */
export async function startServing(
  ctx: AppContext,
  take: (catalogue: Catalogue) => void,
  signal: AbortSignal,
): Promise<Background> {
  const { config, readiness } = ctx
  await throughOutages(ctx, signal, () => prepareDatabase(ctx))
  readiness.end('migrations')
  const servesRegistry = config.services.has('registry')
  const keeping = servesRegistry ? await fillCatalogue(ctx, take, signal) : undefined
  signal.throwIfAborted()
  readiness.end('catalogue')
  const following = servesRegistry ? followChanges(ctx) : undefined
  const linting = servesRegistry ? startLinting(ctx) : undefined
  const housekeeping = startHousekeeping(ctx.log, chores(ctx))
  const sender = config.services.has('oauth') ? startSender(ctx) : undefined
  return {
    async stop(deadline, closing) {
      await Promise.all([closing, sender?.stop()])
      await Promise.all([following?.stop(), linting?.stop()])
      await keeping?.stop(deadline)
      await housekeeping.stop()
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

/** Fills the catalogue; gives what keeps its snapshots, where they are kept. */
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
  return keepSnapshots({ ...ctx, catalogue }, folder, from === 'snapshot')
}
