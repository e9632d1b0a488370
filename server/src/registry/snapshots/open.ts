import { createSkillIndex } from '../../search/index.ts'
import type { Loaded, Savable } from '../../snapshot/saved.ts'
import { UnusableSnapshot } from '../../snapshot/unusable.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { catchUp, loadCatalogue } from '../catalogue/change-feed.ts'
import type { CatalogueContext } from '../catalogue/context.ts'
import { createCatalogue } from '../catalogue/create-catalogue.ts'
import { warmUp } from '../catalogue/warm-up.ts'
import { passageKey } from '../store/revision.ts'
import { countLiveSkills } from '../store/snapshot-marks.ts'
import { loadSnapshot } from './load.ts'

type Opening = Pick<CatalogueContext, 'config' | 'db' | 'clock' | 'log' | 'metrics' | 'readiness'>

export interface OpenedCatalogue {
  readonly catalogue: Catalogue
  readonly from: 'snapshot' | 'database'
}

/** How often a long reading of the database is logged, ms. */
const progressInterval = 5000

/**
 * Words are never forgotten. An index of at least so many, of which more than this share is in no skill
 * any more, is built anew.
 */
const fewWords = 100_000
const mostUnused = 0.75

/** Where snapshots are, and what of a catalogue they keep. */
export interface Snapshots {
  readonly folder: string
  stateOf(catalogue: Catalogue): Savable
}

/**
 * The catalogue as it is in the database now, from a snapshot and what changed since if it can. Throws
 * once `signal` aborts.
 */
export async function openCatalogue(
  ctx: Opening,
  snapshots: Snapshots | undefined,
  signal?: AbortSignal,
): Promise<OpenedCatalogue> {
  const started = ctx.clock.monotonic()
  const restored =
    snapshots &&
    (await loadSnapshot(ctx, snapshots.folder, (...loaded) => restore(ctx, snapshots, ...loaded)))
  const opened: OpenedCatalogue = restored
    ? { catalogue: restored, from: 'snapshot' }
    : { catalogue: await readDatabase(ctx, signal), from: 'database' }
  warmUp(opened.catalogue)
  const ms = ctx.clock.monotonic() - started
  ctx.metrics.start.set({ from: opened.from }, ms / 1000)
  const { size } = opened.catalogue
  ctx.log.info({ skills: size, ms: Math.round(ms) }, `catalogue loaded from the ${opened.from}`)
  return opened
}

const emptyCatalogue = async ({ db, log }: Opening) =>
  createCatalogue(
    createSkillIndex((err) => {
      log.warn({ err }, 'a merge of the index failed and will be tried again')
    }),
    await passageKey(db.read),
  )

async function restore(
  ctx: Opening,
  { stateOf }: Snapshots,
  loaded: Loaded,
  revision: number,
): Promise<Catalogue> {
  const catalogue = await emptyCatalogue(ctx)
  const { db } = ctx
  try {
    await stateOf(catalogue).restore(loaded)
  } catch (error) {
    catalogue.index.close()
    throw new UnusableSnapshot('its parts do not fit together', { cause: error })
  }
  const { all, unused } = catalogue.index.words()
  if (all >= fewWords && unused > mostUnused * all) {
    catalogue.index.close()
    throw new UnusableSnapshot(`no skill holds ${unused} of its ${all} words any more`)
  }
  catalogue.revision = revision
  // as many changes as there may be become few segments
  catalogue.index.beginLoad()
  try {
    await catchUp({ db, catalogue })
  } finally {
    catalogue.index.endLoad()
  }
  const live = await countLiveSkills(db.read)
  if (live.revision === catalogue.revision && live.count !== catalogue.size) {
    catalogue.index.close()
    throw new UnusableSnapshot(`it leads to ${catalogue.size} skills where ${live.count} are`)
  }
  return catalogue
}

async function readDatabase(ctx: Opening, signal: AbortSignal | undefined): Promise<Catalogue> {
  const { db, clock, log, readiness } = ctx
  const catalogue = await emptyCatalogue(ctx)
  const { count } = await countLiveSkills(db.read)
  let next = clock.monotonic() + progressInterval
  try {
    await loadCatalogue({ db, catalogue }, (read) => {
      signal?.throwIfAborted()
      readiness.read({ read, skills: count })
      if (clock.monotonic() < next) return
      next = clock.monotonic() + progressInterval
      log.info({ read, skills: count }, 'reading skills from the database')
    })
  } catch (error) {
    catalogue.index.close()
    throw error
  }
  return catalogue
}
