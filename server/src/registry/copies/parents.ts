import { createIntegers } from '../columns/column.ts'

/** Originals that a skill may be a near-copy of at a time. */
export const MOST_PARENTS = 3

/** Which skills are near-copies of which, by slot. */
export function createParents() {
  /** `MOST_PARENTS` a slot: the slots of what it is a near-copy of, plus one. */
  const column = createIntegers()
  /** By slot: how many skills have it as a parent. */
  const children = createIntegers()

  return {
    column,
    set,
    isCopy,
    parentsOf,
    originalsOf,
    /** Whether any skill is a near-copy of this one. */
    isCopied: (slot: number) => children.get(slot) > 0,
    /** Works out what follows from the restored column. */
    restore(slot: number): void {
      for (const parent of parentsOf(slot)) children.set(parent, children.get(parent) + 1)
    },
  }

  function set(slot: number, found: readonly number[]): void {
    for (let i = 0; i < MOST_PARENTS; i++) {
      const at = slot * MOST_PARENTS + i
      const former = column.get(at)
      const parent = (found[i] ?? -1) + 1
      if (former === parent) continue
      column.set(at, parent)
      if (former > 0) children.set(former - 1, children.get(former - 1) - 1)
      if (parent > 0) children.set(parent - 1, children.get(parent - 1) + 1)
    }
  }

  function isCopy(slot: number): boolean {
    return column.get(slot * MOST_PARENTS) !== 0
  }

  /** What a skill is a near-copy of, the most copied first; these may be near-copies themselves. */
  function parentsOf(slot: number): number[] {
    const found: number[] = []
    for (let at = slot * MOST_PARENTS; at < (slot + 1) * MOST_PARENTS; at++) {
      const parent = column.get(at)
      if (parent === 0) break
      found.push(parent - 1)
    }
    return found
  }

  /** The originals at the ends of what a skill is a near-copy of; none for one that is no copy. */
  function originalsOf(slot: number): readonly number[] {
    if (!isCopy(slot)) return []
    const seen = new Set([slot])
    const originals: number[] = []
    // grows while it is gone through
    const open = parentsOf(slot)
    for (const each of open) {
      if (seen.has(each)) continue
      seen.add(each)
      if (isCopy(each)) open.push(...parentsOf(each))
      else originals.push(each)
    }
    return originals
  }
}
