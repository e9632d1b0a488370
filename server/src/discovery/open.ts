import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { currentRevision, passageKey } from '../skills/store/revision.ts'
import { countSkills, listSkillsAfter } from '../skills/store/skills.ts'
import { findCurrentReadmes } from '../skills/store/versions.ts'
import { type Catalogue, createCatalogue, type SavedSkill } from './catalogue.ts'
import type { RegistryContext } from './context.ts'
import { createIndex, restoreSnapshot } from './snapshot.ts'

/** Time between progress messages, ms. */
const progressInterval = 5000

/** Skills per database query. */
const pageSize = 200
/** Readmes indexed per event loop turn. */
const batchSize = 16

/**
 * Loads the catalogue from the database. Takes the index of unchanged texts from a snapshot in
 * `folder`. Throws if `signal` aborts.
 */
export async function openCatalogue(
  ctx: Pick<RegistryContext, 'db' | 'clock' | 'log' | 'metrics' | 'readiness'>,
  folder: string | undefined,
  signal?: AbortSignal,
): Promise<{ catalogue: Catalogue; from: 'snapshot' | 'database' }> {
  const { db, clock, log, metrics, readiness } = ctx
  const started = clock.monotonic()
  const key = await passageKey(db.read)
  const restored = folder === undefined ? undefined : await restoreSnapshot(ctx, folder, key)
  const catalogue = restored?.catalogue ?? createCatalogue(createIndex(ctx), key)
  try {
    const skills = await countSkills(db.read)
    let next = clock.monotonic() + progressInterval
    await loadCatalogue({ db, catalogue }, restored?.skills, (read) => {
      signal?.throwIfAborted()
      readiness.reading = { read, skills }
      if (clock.monotonic() < next) return
      next = clock.monotonic() + progressInterval
      log.info({ read, skills }, 'reading skills from the database')
    })
  } catch (error) {
    catalogue.index.close()
    throw error
  }
  const from = restored ? 'snapshot' : 'database'
  const ms = clock.monotonic() - started
  metrics.start.set({ from }, ms / 1000)
  const { size } = catalogue
  log.info({ skills: size, ms: Math.round(ms) }, `catalogue loaded from the ${from}`)
  return { catalogue, from }
}

/** Loads an empty catalogue. `onProgress` receives the number of skills read so far. */
export async function loadCatalogue(
  { db, catalogue }: Pick<RegistryContext, 'db' | 'catalogue'>,
  saved: readonly SavedSkill[] = [],
  onProgress: (read: number) => void = () => {},
) {
  // Read the revision first. The change feed then repeats changes made during the load.
  catalogue.revision = await currentRevision(db.read)
  catalogue.beginLoad(saved)
  try {
    let last = ''
    for (let read = 0; ; ) {
      const skills = await listSkillsAfter(db.read, last, pageSize)
      const others = skills.filter((skill) => !catalogue.adopt(skill))
      const readmes = await findCurrentReadmes(
        db.read,
        others.map(({ id }) => id),
      )
      for (const [at, skill] of others.entries()) {
        const found = readmes.get(skill.id)
        if (found?.digest === skill.digest) catalogue.put(skill, found.readme)
        if (at % batchSize === batchSize - 1) await yieldToEventLoop()
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
