import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { currentRevision, passageKey } from '../skills/store/revision.ts'
import { countSkills, listSkillsAfter } from '../skills/store/skills.ts'
import { findCurrentReadmes } from '../skills/store/versions.ts'
import { type Catalogue, createCatalogue, type SavedSkill } from './catalogue.ts'
import type { RegistryContext } from './context.ts'
import { createIndex, restoreSnapshot } from './snapshot.ts'

type Opening = Pick<RegistryContext, 'config' | 'db' | 'clock' | 'log' | 'metrics' | 'readiness'>

/** How often a long reading of the database is logged, ms. */
const progressInterval = 5000

/** Skills that are read at once, and readmes that are indexed before others have their turn. */
const skillsAtOnce = 200
const readAtOnce = 16

/**
 * The catalogue as it is in the database now; a snapshot in `folder` spares the reading of texts that it
 * has. Throws once `signal` aborts.
 */
export async function openCatalogue(
  ctx: Opening,
  folder: string | undefined,
  signal?: AbortSignal,
): Promise<{ catalogue: Catalogue; from: 'snapshot' | 'database' }> {
  const started = ctx.clock.monotonic()
  const key = await passageKey(ctx.db.read)
  const restored = folder === undefined ? undefined : await restoreSnapshot(ctx, folder, key)
  const catalogue = restored?.catalogue ?? createCatalogue(createIndex(ctx), key)
  try {
    await fillCatalogue({ ...ctx, catalogue }, restored?.skills, signal)
  } catch (error) {
    catalogue.index.close()
    throw error
  }
  warmUp(catalogue)
  const from = restored ? 'snapshot' : 'database'
  const ms = ctx.clock.monotonic() - started
  ctx.metrics.start.set({ from }, ms / 1000)
  const { size } = catalogue
  ctx.log.info({ skills: size, ms: Math.round(ms) }, `catalogue loaded from the ${from}`)
  return { catalogue, from }
}

type Filling = Pick<RegistryContext, 'catalogue' | 'db' | 'clock' | 'log' | 'readiness'>

async function fillCatalogue(
  { catalogue, db, clock, log, readiness }: Filling,
  saved: readonly SavedSkill[] | undefined,
  signal: AbortSignal | undefined,
) {
  const skills = await countSkills(db.read)
  let next = clock.monotonic() + progressInterval
  await loadCatalogue({ db, catalogue }, saved, (read) => {
    signal?.throwIfAborted()
    readiness.read({ read, skills })
    if (clock.monotonic() < next) return
    next = clock.monotonic() + progressInterval
    log.info({ read, skills }, 'reading skills from the database')
  })
}

/** Fills an empty catalogue from the database; `onProgress` hears how many skills have been read. */
export async function loadCatalogue(
  { db, catalogue }: Pick<RegistryContext, 'db' | 'catalogue'>,
  saved: readonly SavedSkill[] = [],
  onProgress: (read: number) => void = () => {},
) {
  // Read before the skills: what changes meanwhile comes once more with the first look.
  catalogue.revision = await currentRevision(db.read)
  catalogue.beginLoad(saved)
  try {
    let last = ''
    for (let read = 0; ; ) {
      const skills = await listSkillsAfter(db.read, last, skillsAtOnce)
      const others = skills.filter((skill) => !catalogue.adopt(skill))
      const readmes = await findCurrentReadmes(
        db.read,
        others.map(({ id }) => id),
      )
      for (const [at, skill] of others.entries()) {
        const found = readmes.get(skill.id)
        if (found?.digest === skill.digest) catalogue.put(skill, found.readme)
        // other services answer meanwhile
        if (at % readAtOnce === readAtOnce - 1) await yieldToOthers()
      }
      const end = skills.at(-1)
      if (!end) break
      last = end.id
      read += skills.length
      onProgress(read)
    }
  } finally {
    catalogue.endLoad()
  }
}

/** Skills that are asked for; more make the first answers no quicker. */
const ASKED = 4

/**
 * Asks for some of the skills before anybody else does, so that what answers is compiled: the first
 * callers would otherwise wait 20 to 40 ms.
 */
function warmUp(catalogue: Catalogue): void {
  const { skills } = catalogue.find({ order: 'trending' }, 0, ASKED)
  for (const { name, description } of skills) {
    catalogue.index.answer(catalogue.index.rank(description, { limit: 10, threshold: 0.3 }))
    catalogue.find({ q: name, order: 'relevance' }, 0, 20)
  }
}
