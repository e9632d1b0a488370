import { PAIR_TABLE_BITS } from './constants.ts'

/** In how many live documents two stems stand side by side, counted by hash. */
export interface PairCounts {
  /** The slot of a pair of stems, by their vocabulary entries; the same for either order. */
  slot(a: number, b: number): number
  add(slot: number, by: 1 | -1): void
  count(slot: number): number
  /** The counters themselves. */
  readonly counts: Uint16Array
}

const FULL = 0xffff

/** Counters of nothing, or saved ones. Throws a RangeError when those are of another size. */
export function createPairCounts(saved?: Uint16Array): PairCounts {
  const counts = saved ?? new Uint16Array(1 << PAIR_TABLE_BITS)
  if (counts.length !== 1 << PAIR_TABLE_BITS) throw new RangeError('the pairs are incomplete')
  return { slot, add, count: (slot) => counts[slot] as number, counts }

  function slot(a: number, b: number): number {
    const low = Math.min(a, b)
    const high = Math.max(a, b)
    let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high ^ (low >>> 15), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    return (hash ^ (hash >>> 16)) & ((1 << PAIR_TABLE_BITS) - 1)
  }

  function add(slot: number, by: 1 | -1): void {
    const count = counts[slot] as number
    // a full counter no longer knows its number and stays full
    if (count < FULL) counts[slot] = Math.max(0, count + by)
  }
}
