import { createMetrics } from '../../runtime/metrics.ts'
import { createReadiness } from '../../runtime/readiness.ts'
import type { CatalogueContext } from '../catalogue/context.ts'
import { saveSnapshot } from './keep.ts'
import { openCatalogue } from './open.ts'
import { snapshotFolder } from './place.ts'
import { stateOf } from './state.ts'

/** Fewer changes than this are read at a start in less time than a snapshot takes to write. */
export const worthSnapshot = 500

type Importing = Pick<CatalogueContext, 'clock' | 'config' | 'db' | 'log' | 'random'>

/** Writes a snapshot of what an import has left, so that the next start need not read it skill by skill. */
export async function snapshotAfterImport(ctx: Importing): Promise<void> {
  const folder = snapshotFolder(ctx.config)
  if (folder === undefined) return
  const snapshots = { folder, stateOf }
  const metrics = createMetrics()
  const opening = { ...ctx, metrics, readiness: createReadiness() }
  const { catalogue } = await openCatalogue(opening, snapshots)
  try {
    await saveSnapshot({ ...opening, catalogue }, snapshots, new AbortController().signal)
  } finally {
    catalogue.index.close()
  }
}
