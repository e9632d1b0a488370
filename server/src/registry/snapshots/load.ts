import { discardSnapshot, readParts } from '../../snapshot/folder.ts'
import { type Manifest, readManifest, snapshotFormat } from '../../snapshot/manifest.ts'
import type { Loaded } from '../../snapshot/saved.ts'
import { UnusableSnapshot } from '../../snapshot/unusable.ts'
import type { CatalogueContext } from '../catalogue/context.ts'
import { currentRevision } from '../store/revision.ts'
import { findSnapshotMark } from '../store/snapshot-marks.ts'

/**
 * Age in ms from which a snapshot is not used: a process that starts with it learns from the rows
 * of deleted skills that they are gone, and those are removed after 30 days.
 */
export const oldestSnapshot = 7 * 86_400_000

/** Other processes may replace the snapshot while it is being read. */
const attempts = 3

type Parts = Pick<CatalogueContext, 'db' | 'clock' | 'log'>

/**
 * What `use` makes of the folder's snapshot, which knows every change up to `revision` and maybe some
 * later ones; undefined when there is none to be used. One that is damaged, too old or not of this
 * database, or at which `use` throws `UnusableSnapshot`, is deleted and the reason logged. Throws
 * what else `use` or the database throws.
 */
export async function loadSnapshot<T>(
  ctx: Parts,
  folder: string,
  use: (loaded: Loaded, revision: number) => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    let manifest: Manifest | undefined
    try {
      manifest = await readManifest(folder)
      if (!manifest) return undefined
      await checkOrigin(ctx, manifest)
      const { meta, revision } = manifest
      const parts = await readParts(folder, manifest)
      return await use({ meta, parts }, revision)
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error
      if (attempt < attempts && (await isReplaced(folder, manifest))) continue
      ctx.log.warn({ err: error, folder }, `the snapshot is not used, because ${error.message}`)
      await discardSnapshot(folder, manifest).catch((err: unknown) => {
        ctx.log.warn({ err, folder }, 'the snapshot could not be deleted')
      })
      return undefined
    }
  }
}

/** Whether another manifest stands where this one was. */
async function isReplaced(folder: string, found: Manifest | undefined): Promise<boolean> {
  const current = await readManifest(folder).catch(() => undefined)
  return current !== undefined && current.id !== found?.id
}

/** Throws unless all that the snapshot holds has happened in this database too. */
async function checkOrigin({ db, clock }: Parts, { id, format, revision }: Manifest) {
  if (format !== snapshotFormat) throw new UnusableSnapshot(`its format is ${format}`)
  const mark = await findSnapshotMark(db.read, id)
  if (mark?.revision !== revision || (await currentRevision(db.read)) < revision) {
    throw new UnusableSnapshot('this database has no mark of it')
  }
  if (clock.now() - mark.createdAt > oldestSnapshot) throw new UnusableSnapshot('it is too old')
}
