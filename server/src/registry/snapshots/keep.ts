import { writeSnapshot } from '../../snapshot/folder.ts'
import { readManifest, snapshotFormat } from '../../snapshot/manifest.ts'
import type { CatalogueContext } from '../catalogue/context.ts'
import { findSnapshotMark, insertSnapshotMark } from '../store/snapshot-marks.ts'
import type { Snapshots } from './open.ts'

/** A snapshot is made anew at this age, ms, even when nothing changed: old ones are not used. */
const renewal = 86_400_000

type Keeping = Pick<CatalogueContext, 'db' | 'clock' | 'random' | 'log' | 'metrics' | 'catalogue'>

/**
 * Writes a snapshot unless the catalogue is empty, or the folder has one of this database that is
 * as far and young. Gives whether it wrote. Throws when the disk or the database fails, or `signal` aborts.
 */
export async function saveSnapshot(
  ctx: Keeping,
  { folder, stateOf }: Snapshots,
  signal: AbortSignal,
): Promise<boolean> {
  const { catalogue, db, clock, log } = ctx
  if (catalogue.size === 0) return false
  const { revision } = catalogue
  if (await isCurrent(ctx, folder, revision)) return false
  // What follows holds the event loop for a while in a large catalogue.
  signal.throwIfAborted()
  const started = clock.monotonic()
  const id = ctx.random.uuid()
  const bytes = await writeSnapshot(
    folder,
    { id, revision, ...stateOf(catalogue).save() },
    {
      signal,
      // After all that was saved, which was committed before: a database with the mark has all of it.
      confirm: () =>
        db.write((trx) => insertSnapshotMark(trx, { id, revision, createdAt: clock.now() })),
    },
  )
  log.info({ revision, bytes, ms: Math.round(clock.monotonic() - started) }, 'snapshot written')
  return true
}

async function isCurrent({ db, clock }: Keeping, folder: string, revision: number) {
  const manifest = await readManifest(folder).catch(() => undefined)
  if (manifest?.format !== snapshotFormat || manifest.revision < revision) return false
  const mark = await findSnapshotMark(db.read, manifest.id)
  return mark !== undefined && clock.now() - mark.createdAt < renewal
}

/**
 * Writes snapshots until it is stopped, `atOnce` and then every `interval` ms, and a last one when it
 * is stopped, so that the next start need not read what changed since; `deadline` gives that up.
 */
export function keepSnapshots(
  ctx: Keeping,
  snapshots: Snapshots,
  { interval, atOnce }: { interval: number; atOnce: boolean },
): { stop(deadline: AbortSignal): Promise<void> } {
  const givenUp = new AbortController()
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const save = async () => {
    try {
      const isWritten = await saveSnapshot(ctx, snapshots, givenUp.signal)
      if (isWritten) ctx.metrics.snapshots.inc({ outcome: 'written' })
    } catch (error) {
      if (givenUp.signal.aborted) return
      ctx.metrics.snapshots.inc({ outcome: 'failed' })
      ctx.log.warn({ err: error, folder: snapshots.folder }, 'no snapshot could be written')
    }
    schedule(interval)
  }
  const schedule = (ms: number) => {
    if (isStopping) return
    timer = setTimeout(() => {
      running = save()
    }, ms)
    timer.unref()
  }
  schedule(atOnce ? 0 : interval)
  return {
    async stop(deadline) {
      isStopping = true
      clearTimeout(timer)
      const giveUp = () => givenUp.abort()
      if (deadline.aborted) giveUp()
      deadline.addEventListener('abort', giveUp, { once: true })
      await running
      await save()
    },
  }
}
