import { PAIR_TABLE_BITS } from './constants.ts'

/** In how many live documents two stems stand side by side, counted by hash. */
export interface PairCounts {
  /** Adds to the counters of the first of these slots. */
  addAll(slots: Uint32Array, length: number, by: 1 | -1): void
  /**
   * About how many documents a slot's pair has: what its counter says less what other pairs that
   * share a counter add to one on average, but at least 1; 0 where nothing was counted.
   */
  estimate(slot: number): number
  /** The counters themselves. */
  readonly counts: Uint16Array
}

const SLOTS = 1 << PAIR_TABLE_BITS
const FULL = 0xffff

/** The slot of a pair of stems, by their vocabulary entries; the same for either order. */
export function pairSlot(a: number, b: number): number {
  const low = a < b ? a : b
  const high = a < b ? b : a
  let hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high ^ (low >>> 15), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & (SLOTS - 1)
}

/** Counters of nothing, or saved ones. Throws a RangeError when those are of another size. */
export function createPairCounts(saved?: Uint16Array): PairCounts {
  const counts = saved ?? new Uint16Array(SLOTS)
  if (counts.length !== SLOTS) throw new RangeError('the pairs are incomplete')
  /** Of all counters together. */
  let total = counts.reduce((sum, count) => sum + count, 0)
  return { addAll, estimate, counts }

  function addAll(slots: Uint32Array, length: number, by: 1 | -1): void {
    let added = 0
    for (let i = 0; i < length; i++) {
      const slot = slots[i] as number
      const count = counts[slot] as number
      // a full counter no longer knows its number and stays full
      if (count === FULL || count + by < 0) continue
      counts[slot] = count + by
      added += by
    }
    total += added
  }

  function estimate(slot: number): number {
    const count = counts[slot] as number
    return count === 0 ? 0 : Math.max(1, count - total / SLOTS)
  }
}
