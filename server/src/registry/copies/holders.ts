import type { Column } from '../columns/column.ts'
import { mix } from '../columns/hashes.ts'
import { createSlotTable } from '../columns/slot-table.ts'
import { SAMPLE } from './passages.ts'

/**
 * Who holds a passage. An entry is a place in the column of samples: the slot's number times `SAMPLE`,
 * plus the passage's number in its sample.
 */
export interface Holders {
  /** The entry that held the passage first; undefined when none holds it. */
  first(passage: number): number | undefined
  /** Takes an entry in; says whether it is the passage's first. */
  add(entry: number): boolean
  /** Takes an entry out, before its passage changes; says whether it was the first. */
  remove(entry: number): boolean
  /** The entries of a passage that are kept, in no order: the oldest of them where there are many. */
  of(passage: number): readonly number[]
  /** Whether more than one holds a passage. */
  isShared(passage: number): boolean
  /** Whether some holders of a passage may not be kept. */
  isCrowded(passage: number): boolean
  /** Forgets the holders of a passage, which are to be added again. */
  forget(passage: number): void
}

/** Holders of a passage that are kept. Of what everybody has only the first counts, and who follows it. */
const MOST_HOLDERS = 8

export const slotOf = (entry: number): number => Math.floor(entry / SAMPLE)

/** `compare` orders entries by age, the oldest first. */
export function createHolders(
  passages: Column,
  compare: (a: number, b: number) => number,
): Holders {
  const table = createSlotTable((entry) => mix(passages.get(entry)) >>> 0)
  /** Passages of which only the oldest holders are kept: no younger one is taken in, room or not. */
  const crowded = new Set<number>()
  const found: number[] = []
  let wanted = 0
  const collect = (entry: number) => {
    if (passages.get(entry) === wanted) found.push(entry)
    return false
  }

  const of = (passage: number): readonly number[] => {
    found.length = 0
    wanted = passage
    table.find(mix(passage) >>> 0, collect)
    return found
  }
  const oldest = (entries: readonly number[]) =>
    entries.reduce((first, entry) => (compare(entry, first) < 0 ? entry : first))
  const youngest = (entries: readonly number[]) =>
    entries.reduce((last, entry) => (compare(entry, last) > 0 ? entry : last))

  return {
    first(passage) {
      const entries = of(passage)
      return entries.length === 0 ? undefined : oldest(entries)
    },
    add(entry) {
      const passage = passages.get(entry)
      const others = of(passage)
      if (others.length === 0) {
        table.add(entry)
        return true
      }
      const isFirst = compare(entry, oldest(others)) < 0
      if (others.length >= MOST_HOLDERS) crowded.add(passage)
      if (crowded.has(passage)) {
        const last = youngest(others)
        if (compare(entry, last) > 0) return false
        if (others.length >= MOST_HOLDERS) table.remove(last)
      }
      table.add(entry)
      return isFirst
    },
    remove(entry) {
      const others = of(passages.get(entry))
      if (!others.includes(entry)) return false
      const isFirst = oldest(others) === entry
      table.remove(entry)
      return isFirst
    },
    of,
    isShared: (passage) => of(passage).length > 1,
    isCrowded: (passage) => crowded.has(passage),
    forget(passage) {
      for (const entry of [...of(passage)]) table.remove(entry)
      crowded.delete(passage)
    },
  }
}
