/** A document of a part with its sum. */
export interface TopDocument {
  part: number
  document: number
  sum: number
}

/** A task of one word makes long ties: so many are still scored exactly, times those wanted. */
const MOST_TIED = 3

/** Entries held between two prunings, times those wanted. */
const HELD = 8

/** An entry is a number: the sum above the place, which falls so that of equal sums the first is highest. */
const PLACES = 2 ** 32

/** The documents with the highest sums over several parts. */
export function createTopK() {
  let held = new Float64Array(512)
  let wanted = 0
  let count = 0
  /** Sums below cannot come into the best any more. */
  let least = 1
  return { begin, collect, finish }

  /** Starts anew: the best `wanted` are asked for. */
  function begin(given: number): void {
    wanted = given
    count = 0
    least = 1
    if (wanted * HELD > held.length) held = new Float64Array(wanted * HELD)
  }

  /** Takes the sums above zero of a part's living documents in. */
  function collect(sums: Uint16Array, dead: Uint8Array, part: number): void {
    for (let document = 0; document < sums.length; document++) {
      const sum = sums[document] as number
      if (sum < least || dead[document] === 1) continue
      held[count++] = sum * PLACES + (PLACES - 1 - (part * 2 ** 16 + document))
      if (count === wanted * HELD) prune()
    }
  }

  /** Keeps the best `wanted`, first, and those that tie with the last of them. */
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

  /** The best, with ties of the last of them up to `MOST_TIED`. */
  function finish(): TopDocument[] {
    prune()
    return Array.from(held.subarray(0, count), (entry) => {
      const sum = Math.floor(entry / PLACES)
      const place = PLACES - 1 - (entry - sum * PLACES)
      return { sum, part: Math.floor(place / 2 ** 16), document: place % 2 ** 16 }
    })
  }
}
