import type { Column } from '../columns/column.ts'
import { type Holders, slotOf } from './holders.ts'
import { isNear, type Overlap } from './near.ts'
import { SAMPLE } from './passages.ts'

/** What is known of skills where they are compared. */
interface Known {
  /** By entry (holders.ts): the hash of a passage; 0 where there is none. */
  readonly passages: Column
  /** By slot: how many passages its readme has. */
  readonly counts: Column
  readonly holders: Pick<Holders, 'first'>
  /** Who publishes a skill: equal for equal publishers. */
  publisherOf(slot: number): string
  /** Orders slots by age, the oldest first. */
  compareSkills(a: number, b: number): number
}

/** Finds the skills of which one is a near-copy by its passages, the most copied first. */
export function createCopiedFinder({
  passages,
  counts,
  holders,
  publisherOf,
  compareSkills,
}: Known) {
  return findCopied

  function findCopied(slot: number): number[] {
    const start = slot * SAMPLE
    if (passages.get(start) === 0) return []
    const firsts: number[] = []
    const owners = new Set<number>()
    for (let i = 0; i < SAMPLE; i++) {
      const owner = slotOf(holders.first(passages.get(start + i)) ?? start)
      firsts.push(owner)
      if (owner !== slot) owners.add(owner)
    }
    if (owners.size === 0) return []
    const own = publisherOf(slot)
    /** The skill of each publisher that has most in common: others of a series share the frame. */
    const best = new Map<string, { slot: number; overlap: Overlap }>()
    for (const other of owners) {
      const publisher = publisherOf(other)
      const overlap = overlapOf(slot, other, firsts, publisher === own)
      const known = best.get(publisher)
      const more = known ? overlap.shared - known.overlap.shared : 1
      if (more > 0 || (more === 0 && known && compareSkills(other, known.slot) < 0)) {
        best.set(publisher, { slot: other, overlap })
      }
    }
    return [...best]
      .filter(([publisher, { slot: other, overlap }]) => {
        if (!isNear(overlap, publisher === own)) return false
        const { originals, copys } = overlap
        return originals > copys || (originals === copys && compareSkills(other, slot) < 0)
      })
      .map(([, each]) => each)
      .sort((a, b) => b.overlap.originals - a.overlap.originals || compareSkills(a.slot, b.slot))
      .map((each) => each.slot)
  }

  /** `firsts` are the slots that had the copy's passages first. */
  function overlapOf(
    copy: number,
    original: number,
    firsts: readonly number[],
    isOnePublisher: boolean,
  ): Overlap {
    const [copyAt, originalAt] = [copy * SAMPLE, original * SAMPLE]
    const last = SAMPLE - 1
    const reach = Math.min(passages.get(copyAt + last), passages.get(originalAt + last))
    const [copier, publisher] = [publisherOf(copy), publisherOf(original)]
    let [ofCopy, ofOriginal, shared, originals, copys] = [0, 0, 0, 0, 0]
    for (let j = 0; j < SAMPLE && passages.get(originalAt + j) <= reach; j++) ofOriginal++
    for (let i = 0, j = 0; i < SAMPLE; i++) {
      const passage = passages.get(copyAt + i)
      if (passage > reach) break
      ofCopy++
      while (j < SAMPLE && passages.get(originalAt + j) < passage) j++
      if (j === SAMPLE || passages.get(originalAt + j) !== passage) continue
      shared++
      const first = firsts[i] as number
      if (first === original || (!isOnePublisher && publisherOf(first) === publisher)) originals++
      else if (first === copy || (!isOnePublisher && publisherOf(first) === copier)) copys++
    }
    const ratio = counts.get(original) / counts.get(copy)
    return { ofCopy, ofOriginal, shared, originals, copys, ratio }
  }
}
