import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { findVersion } from '../skills/store/versions.ts'

/** Size of the readme cache, in UTF-16 units. */
const capacity = 64 * 1024 * 1024

/** A cache of readmes by digest. Entries never become stale. */
export type Readmes = LRUCache<string, string>

export const createReadmes = (): Readmes =>
  new LRUCache({ maxSize: capacity, sizeCalculation: (readme) => readme.length + 200 })

/** Returns `sha256:` and the hexadecimal SHA-256 of a readme in UTF-8. */
export const digestOf = (readme: string): string =>
  `sha256:${createHash('sha256').update(readme).digest('hex')}`

/** Returns the current readme of a skill, or undefined if the skill has been deleted. */
export async function currentReadme(
  { db, readmes }: { db: Database; readmes: Readmes },
  skill: SkillRecord,
): Promise<string | undefined> {
  const known = readmes.get(skill.digest)
  if (known !== undefined) return known
  const found = await findVersion(db.read, skill.id, { version: skill.version })
  if (found) readmes.set(found.digest, found.readme)
  return found?.readme
}
