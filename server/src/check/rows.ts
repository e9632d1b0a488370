import type { DatabaseToRead } from '../db/read-only.ts'
import { digestOf } from '../registry/catalogue/readmes.ts'
import { fine, type Outcome, shown, some, wrong } from './finding.ts'
import { allDisagreements, findDisagreeing, listStoredTexts } from './store/rows.ts'

/** Texts that are read at once. */
const batch = 500

/** Whether rows agree with each other, and counts with what they count. */
export async function checkCounts({ read }: DatabaseToRead, remedy: string): Promise<Outcome> {
  const found: string[] = []
  for (const which of allDisagreements) {
    const { ids, count } = await findDisagreeing(read, which, shown)
    if (count > 0) found.push(`${count} ${which} (${some(ids, count)})`)
  }
  if (found.length > 0) return wrong(found.join('; '), remedy)
  return fine('counts agree with what they count, and no row is an orphan')
}

/** Whether every text is the one that its digest names. */
export async function checkTexts({ read }: DatabaseToRead, remedy: string): Promise<Outcome> {
  const changed: string[] = []
  let count = 0
  let after = { skillId: '', version: 0 }
  for (;;) {
    const texts = await listStoredTexts(read, after, batch)
    count += texts.length
    for (const { skillId, version, digest, readme } of texts) {
      if (digestOf(readme) !== digest) changed.push(`${skillId} version ${version}`)
    }
    const last = texts.at(-1)
    if (last === undefined || texts.length < batch) break
    after = last
  }
  if (changed.length === 0)
    return fine(`all ${count} versions are the text that their digest names`)
  return wrong(
    `${changed.length} versions are not what their digest names: ${some(changed)}`,
    remedy,
  )
}
