import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { currentRevision } from '../store/registry/revision.ts'
import { listChangesAfter, listSkillsAfter } from '../store/registry/skills.ts'
import { findCurrentReadmes } from '../store/registry/versions.ts'
import { type Catalogue, hasSameText, type RegistryContext, type SavedSkill } from './catalogue.ts'

/** Skills per database query. */
const pageSize = 256
/** Skills per event loop turn. With readmes of 256 KiB, they take a few milliseconds. */
const batchSize = 16

/** Sorts after every id in any collation, so the feed continues with the next revision. */
const maxId = 'z'

/**
 * Applies to the catalogue what was committed since the last call. Stops early if `signal` aborts;
 * the next call applies the rest.
 */
export async function catchUp(
  { db, catalogue }: Pick<RegistryContext, 'db' | 'catalogue'>,
  signal?: AbortSignal,
) {
  const current = await currentRevision(db.read)
  if (current === catalogue.revision) return
  let last = { revision: catalogue.revision, id: maxId }
  for (;;) {
    const changes = await listChangesAfter(db.read, last, pageSize)
    for (let start = 0; start < changes.length; start += batchSize) {
      await applyChanges({ db, catalogue }, changes.slice(start, start + batchSize))
      await yieldToEventLoop()
      // Keep the revision, so that the next call starts over. Applying a change twice is harmless.
      if (signal?.aborted) return
    }
    const end = changes.at(-1)
    if (end) last = end.skill
    if (changes.length < pageSize) break
  }
  // The latest revisions may not have changed any skill.
  catalogue.revision = Math.max(current, last.revision)
}

async function applyChanges(
  { db, catalogue }: Pick<RegistryContext, 'db' | 'catalogue'>,
  changes: Change[],
) {
  const textChanges = changes.filter((change) => needsText(catalogue, change))
  const ids = textChanges.map(({ skill }) => skill.id)
  const readmes = await findCurrentReadmes(db.read, ids)
  for (const change of changes) {
    const { skill, isRemoved } = change
    if (isRemoved) {
      catalogue.remove(skill.id, skill.revision)
      catalogue.putRepository(skill.repository, skill.revision)
    } else if (textChanges.includes(change)) {
      // If the digest differs or is missing, the skill has changed again in a later revision.
      const found = readmes.get(skill.id)
      if (found?.digest === skill.digest) await catalogue.admit(skill, found.readme)
      // Indexing takes a while, so let requests run in between.
      await yieldToEventLoop()
    } else catalogue.put(skill)
  }
}

type Change = Awaited<ReturnType<typeof listChangesAfter>>[number]

/** Returns whether a change affects the index. */
function needsText(catalogue: Catalogue, { skill, isRemoved }: Change): boolean {
  const known = catalogue.known(skill.id)
  if (isRemoved || (known && known.revision >= skill.revision)) return false
  return !hasSameText(skill, known)
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
      const ids = others.map(({ id }) => id)
      const readmes = await findCurrentReadmes(db.read, ids)
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
