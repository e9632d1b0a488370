import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { currentRevision } from '../skills/store/revision.ts'
import { listChangesAfter } from '../skills/store/skills.ts'
import { findCurrentReadmes } from '../skills/store/versions.ts'
import { type Catalogue, hasSameText } from './catalogue.ts'
import type { RegistryContext } from './context.ts'

/** Changes that are looked up at once. */
const changesAtOnce = 256
/** Changes that are taken in while requests wait for a turn; with readmes of 256 KiB each a few milliseconds' work. */
const takenAtOnce = 16

/** Sorts after every id, in any collation: a revision that is known is known for all its skills. */
const allIds = 'z'

/** Takes in what was committed since the last look, as much as there is time for until the signal. */
export async function catchUp(
  { db, catalogue }: Pick<RegistryContext, 'db' | 'catalogue'>,
  signal?: AbortSignal,
) {
  const current = await currentRevision(db.read)
  if (current === catalogue.revision) return
  let last = { revision: catalogue.revision, id: allIds }
  for (;;) {
    const changes = await listChangesAfter(db.read, last, changesAtOnce)
    for (let start = 0; start < changes.length; start += takenAtOnce) {
      await takeIn({ db, catalogue }, changes.slice(start, start + takenAtOnce))
      await yieldToOthers()
      // the revision stays: what was taken in comes once more
      if (signal?.aborted) return
    }
    const end = changes.at(-1)
    if (end) last = end.skill
    if (changes.length < changesAtOnce) break
  }
  // The last revisions may have changed no skill.
  catalogue.revision = Math.max(current, last.revision)
}

async function takeIn(
  { db, catalogue }: Pick<RegistryContext, 'db' | 'catalogue'>,
  changes: Change[],
) {
  const news = changes.filter((change) => needsText(catalogue, change))
  const readmes = await findCurrentReadmes(
    db.read,
    news.map(({ skill }) => skill.id),
  )
  for (const change of changes) {
    const { skill, gone } = change
    if (gone) {
      catalogue.remove(skill.id, skill.revision)
      catalogue.putRepository(skill.repository, skill.revision)
    } else if (news.includes(change)) {
      // Another digest or none: the skill changed once more, and that change is still to come.
      const found = readmes.get(skill.id)
      if (found?.digest === skill.digest) await catalogue.admit(skill, found.readme)
      // Indexing takes a while; requests get their turn in between.
      await yieldToOthers()
    } else catalogue.put(skill)
  }
}

type Change = Awaited<ReturnType<typeof listChangesAfter>>[number]

/** Whether a change is news to the index, not to the numbers alone. */
function needsText(catalogue: Catalogue, { skill, gone }: Change): boolean {
  const known = catalogue.get(skill.id)
  if (gone || (known && known.revision >= skill.revision)) return false
  return !hasSameText(skill, known)
}
