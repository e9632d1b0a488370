export interface TopDocument {
  part: number
  document: number
  sum: number
}

/**
 * Maximum number of results including ties, as a multiple of k. Tasks of one word have many ties.
 */
const MOST_TIED = 3

/** Capacity between two prunings, as a multiple of k. */
const HELD = 8

/** An entry packs the sum above the inverted place, so that equal sums sort by ascending place. */
const PLACES = 2 ** 32

/** Collects the documents with the k highest sums over several segments. */
export function createTopK() {
  let held = new Float64Array(512)
  let wanted = 0
  let count = 0
  /** Minimum sum that can still be among the best. */
  let least = 1
  return { begin, collect, finish }

  /** Starts a new collection of the k best. */
  function begin(given: number): void {
    wanted = given
    count = 0
    least = 1
    if (wanted * HELD > held.length) held = new Float64Array(wanted * HELD)
  }

  /** Adds the positive sums of a segment's living documents. */
  function collect(sums: Uint16Array, dead: Uint8Array, part: number): void {
    for (let document = 0; document < sums.length; document++) {
      const sum = sums[document] as number
      if (sum < least || dead[document] === 1) continue
      held[count++] = sum * PLACES + (PLACES - 1 - (part * 2 ** 16 + document))
      if (count === wanted * HELD) prune()
    }
  }

  /** Keeps the best k and ties with the last of them. */
  function prune(): void {
    held.subarray(0, count).sort().reverse()
    if (count <= wanted) return
    const last = sumAt(wanted - 1)
    const most = Math.min(count, wanted * MOST_TIED)
    count = wanted
    while (count < most && sumAt(count) === last) count++
    least = count < wanted * MOST_TIED ? last : last + 1
  }

  function sumAt(at: number): number {
    return Math.floor((held[at] as number) / PLACES)
  }

  /** Returns the best, and ties with the last of them. */
  function finish(): TopDocument[] {
    prune()
    return Array.from(held.subarray(0, count), (entry) => {
      const sum = Math.floor(entry / PLACES)
      const place = PLACES - 1 - (entry - sum * PLACES)
      return { sum, part: Math.floor(place / 2 ** 16), document: place % 2 ** 16 }
    })
  }
}
