import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'
import { listSignatures, type SignatureRecord } from '../store/registry/signatures.ts'
import { addressOf, type SkillRecord } from '../store/registry/skill-record.ts'
import { findVersion } from '../store/registry/versions.ts'

/** Size of the readme cache, in UTF-16 units. */
const capacity = 64 * 1024 * 1024

/** A cache of readmes by digest. Entries never become stale. */
export type Readmes = LRUCache<string, string>

export const createReadmes = (): Readmes =>
  new LRUCache({ maxSize: capacity, sizeCalculation: (readme) => readme.length + 200 })

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

/** A signature as readers see it. */
export type ShownSignature = Omit<SignatureRecord, 'address'>

/** A cache of each skill's signatures by version. The map of an unsigned skill is empty. */
export type Signatures = LRUCache<string, ReadonlyMap<number, SignatureRecord>>

export const createSignatures = (): Signatures => new LRUCache({ max: 20_000 })

/** Returns the address that signatures of a skill must name. */
export const signedAddress = (skill: SkillRecord) => addressOf(skill).toLowerCase()

/**
 * Returns a function that looks up the signature of a version. It ignores signatures of a previous
 * address, which do not cover the current one.
 */
export async function signaturesOf(
  { db, signatures }: { db: Database; signatures: Signatures },
  skill: SkillRecord,
) {
  // Every change of a skill, on any node, raises its revision.
  const key = `${skill.id} ${skill.revision}`
  const known = signatures.get(key) ?? (await listSignatures(db.read, skill.id))
  signatures.set(key, known)
  return (version: number): ShownSignature | null => {
    const found = known.get(version)
    if (found?.address !== signedAddress(skill)) return null
    const { address, ...signature } = found
    return signature
  }
}
