import { PAIR_TABLE_BITS } from '../constants/constants.ts'

const SLOTS = 1 << PAIR_TABLE_BITS
const FULL = 0xffff

/**
 * Returns the counter of a pair of stems, in either order. It takes hashes of the stems, not their
 * numbers, so that the same pairs collide in every process.
 */
export function pairSlot(a: number, b: number): number {
  let hash = a < b ? (a << 16) | b : (b << 16) | a
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) & (SLOTS - 1)
}

/** Document frequencies of adjacent stem pairs, counted by hash. */
export type BigramFrequencies = ReturnType<typeof createBigramFrequencies>

/**
 * Creates empty counters, or restores saved ones. Throws a RangeError if they have another size.
 */
export function createBigramFrequencies(saved?: Uint16Array) {
  const counts = saved ?? new Uint16Array(SLOTS)
  if (counts.length !== SLOTS) throw new RangeError('the pair table has another size')
  let total = counts.reduce((sum, count) => sum + count, 0)
  return { add, estimate, counts }

  function add(slot: number, by: 1 | -1): void {
    const count = counts[slot] as number
    // A full counter has lost its count and stays full.
    if (count === FULL || count + by < 0) return
    counts[slot] = count + by
    total += by
  }

  /**
   * Estimates the document frequency of a pair: its counter minus the average load of other pairs,
   * at least 1, or 0 if the counter is 0.
   */
  function estimate(slot: number): number {
    const count = counts[slot] as number
    return count === 0 ? 0 : Math.max(1, count - total / SLOTS)
  }
}
