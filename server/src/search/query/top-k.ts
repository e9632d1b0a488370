import { moveHighest } from '../../runtime/move-highest.ts'

/**
 * Maximum number of results including ties, as a multiple of k. Tasks of one word have many ties.
 */
const MAX_RESULTS_FACTOR = 3

/** Capacity between two prunings, as a multiple of k. */
const CAPACITY = 4

/** An entry packs the sum above the inverted place, so that equal sums sort by ascending place. */
const PLACES = 2 ** 32

/** Collects the documents with the k highest sums over several segments. */
export function createTopK() {
  let entries = new Float64Array(512)
  let k = 0
  let count = 0
  /** Minimum sum that can still be among the best. */
  let minSum = 1
  return { begin, collect, finish }

  /** Starts a new collection of the k best. */
  function begin(size: number): void {
    k = size
    count = 0
    minSum = 1
    if (k * CAPACITY > entries.length) entries = new Float64Array(k * CAPACITY)
  }

  /** Adds the positive sums of a segment's live documents. */
  function collect(sums: Uint16Array, dead: Uint8Array, part: number): void {
    for (let document = 0; document < sums.length; document++) {
      const sum = sums[document] as number
      if (sum < minSum || dead[document] === 1) continue
      entries[count++] = sum * PLACES + (PLACES - 1 - (part * 2 ** 16 + document))
      if (count === k * CAPACITY) prune()
    }
  }

  /** Keeps the best k and ties with the last of them, in no particular order. */
  function prune(): void {
    if (count <= k) return
    const limit = Math.min(count, k * MAX_RESULTS_FACTOR)
    moveHighest(entries.subarray(0, count), limit)
    moveHighest(entries.subarray(0, limit), k)
    let last = Number.POSITIVE_INFINITY
    for (let at = 0; at < k; at++) last = Math.min(last, sumAt(at))
    count = k
    for (let at = k; at < limit; at++) {
      if (sumAt(at) === last) entries[count++] = entries[at] as number
    }
    minSum = count < k * MAX_RESULTS_FACTOR ? last : last + 1
  }

  function sumAt(at: number): number {
    return Math.floor((entries[at] as number) / PLACES)
  }

  /** Returns the best in descending order, and ties with the last of them. */
  function finish() {
    prune()
    return Array.from(entries.subarray(0, count).sort().reverse(), (entry) => {
      const sum = Math.floor(entry / PLACES)
      const place = PLACES - 1 - (entry - sum * PLACES)
      return { sum, part: Math.floor(place / 2 ** 16), document: place % 2 ** 16 }
    })
  }
}
