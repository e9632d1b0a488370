import type { SkillRecord } from '../store/skill-record.ts'

export type OwnerRecord = SkillRecord['owner']

/** The agents whose skills are held, each once, by a number. */
export interface Owners {
  /** The number of an owner, whose names are from now on those given. */
  numberOf(owner: OwnerRecord): number
  at(number: number): OwnerRecord
  all(): readonly OwnerRecord[]
}

export function createOwners(): Owners {
  const records: OwnerRecord[] = []
  const numbers = new Map<string, number>()
  return {
    numberOf(owner) {
      const number = numbers.get(owner.id) ?? records.length
      numbers.set(owner.id, number)
      const known = records[number]
      const isKnown =
        known?.username === owner.username &&
        known.displayName === owner.displayName &&
        known.verifiedAs === owner.verifiedAs
      if (!isKnown) records[number] = owner
      return number
    },
    at: (number) => records[number] as OwnerRecord,
    all: () => records,
  }
}
