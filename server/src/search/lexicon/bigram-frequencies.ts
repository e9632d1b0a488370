import { PAIR_TABLE_BITS } from '../constants/constants.ts'

const SLOTS = 1 << PAIR_TABLE_BITS
const FULL = 0xffff

/**
 * The slot of a pair of stems, in either order, by the hashes that `Stems` has of them: by their numbers
 * other pairs would share a counter in each process.
 */
export function pairSlot(a: number, b: number): number {
  let hash = a < b ? (a << 16) | b : (b << 16) | a
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) & (SLOTS - 1)
}

/** In how many live documents two stems stand side by side, counted by hash. */
export type BigramFrequencies = ReturnType<typeof createBigramFrequencies>

/** Counters of nothing, or saved ones. Throws a RangeError when those are of another size. */
export function createBigramFrequencies(saved?: Uint16Array) {
  const counts = saved ?? new Uint16Array(SLOTS)
  if (counts.length !== SLOTS) throw new RangeError('the pairs are incomplete')
  /** The sum of all counters. */
  let total = counts.reduce((sum, count) => sum + count, 0)
  return { add, estimate, counts }

  /** Adds to the counter of a slot. */
  function add(slot: number, by: 1 | -1): void {
    const count = counts[slot] as number
    // a full counter no longer knows its number and stays full
    if (count === FULL || count + by < 0) return
    counts[slot] = count + by
    total += by
  }

  /**
   * About how many documents a slot's pair has: what its counter says less what other pairs that
   * share a counter add to one on average, but at least 1; 0 where nothing was counted.
   */
  function estimate(slot: number): number {
    const count = counts[slot] as number
    return count === 0 ? 0 : Math.max(1, count - total / SLOTS)
  }
}
