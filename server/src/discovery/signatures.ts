import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'
import { listSignatures, type SignatureRecord } from '../skills/store/signatures.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** A signature as readers see it. */
export type ShownSignature = Omit<SignatureRecord, 'address'>

/** Signatures of versions that were read lately, by skill; a skill without any has an empty map. */
export type Signatures = LRUCache<string, ReadonlyMap<number, SignatureRecord>>

export const createSignatures = (): Signatures => new LRUCache({ max: 20_000 })

/** The address that the signatures of a skill are made for. */
export const signedAddress = ({ repository, slug }: SkillRecord) =>
  `${repository.owner}/${repository.name}/${slug}`.toLowerCase()

/**
 * How the versions of a skill are signed. A signature made for another address, before the slug was
 * changed, says nothing of this one and is left out.
 */
export async function signaturesOf(
  { db, signatures }: { db: Database; signatures: Signatures },
  skill: SkillRecord,
) {
  // Any change of a skill, on any node, raises its revision.
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
