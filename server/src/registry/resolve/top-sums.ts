/** The documents with the highest sums over several parts. */
export interface TopSums {
  /** Starts anew: the best `wanted` are asked for. */
  begin(wanted: number): void
  /** Takes the sums above zero of a part's living documents in. */
  collect(sums: Uint16Array, documents: number, dead: Uint8Array, part: number): void
  /** Parts, documents and sums of the best; ties with the last of them up to `MOST_TIED`. */
  finish(): { parts: Uint16Array; documents: Uint32Array; sums: Uint16Array }
}

/** A task of one word makes long ties: so many are still scored exactly, times those wanted. */
const MOST_TIED = 3

/** How many are held between two prunings, times those wanted. */
const HELD = 8

/** Sums of one bucket of the histogram. */
const BUCKET_BITS = 6

export function createTopSums(): TopSums {
  let sumOf = new Uint16Array(512)
  let partOf = new Uint16Array(512)
  let documentOf = new Uint32Array(512)
  const buckets = new Uint32Array(65_536 >>> BUCKET_BITS)
  let wanted = 0
  let count = 0
  /** Sums below cannot come into the best any more. */
  let least = 1
  return { begin, collect, finish }

  function begin(given: number): void {
    wanted = given
    count = 0
    least = 1
    if (wanted * HELD <= sumOf.length) return
    sumOf = new Uint16Array(wanted * HELD)
    partOf = new Uint16Array(wanted * HELD)
    documentOf = new Uint32Array(wanted * HELD)
  }

  function collect(sums: Uint16Array, documents: number, dead: Uint8Array, part: number): void {
    for (let document = 0; ; document++) {
      document = nextReaching(sums, document, documents, least)
      if (document === documents) return
      if (dead[document] === 1) continue
      sumOf[count] = sums[document] as number
      partOf[count] = part
      documentOf[count++] = document
      if (count === wanted * HELD) prune()
    }
  }

  /** Drops those that `wanted` others surely surpass. */
  function prune(): void {
    buckets.fill(0)
    for (let i = 0; i < count; i++) {
      const bucket = (sumOf[i] as number) >>> BUCKET_BITS
      buckets[bucket] = (buckets[bucket] as number) + 1
    }
    let reached = 0
    let bucket = buckets.length
    while (reached < wanted) reached += buckets[--bucket] as number
    // a histogram is cheaper than sorting, but one bucket may hold nearly all
    if (reached > count / 2) cut()
    else {
      least = Math.max(1, bucket << BUCKET_BITS)
      keep(least, count)
    }
  }

  /** Keeps the best `wanted` and some that tie with the last of them. */
  function cut(): void {
    if (count <= wanted) return
    const last = sumOf.slice(0, count).sort()[count - wanted] as number
    let above = 0
    for (let i = 0; i < count; i++) if ((sumOf[i] as number) > last) above++
    const room = wanted * MOST_TIED - above
    keep(last, room)
    least = count - above < room ? last : last + 1
  }

  /** Keeps the sums above `floor`, and the first `ties` of those that equal it. */
  function keep(floor: number, ties: number): void {
    let kept = 0
    let left = ties
    for (let i = 0; i < count; i++) {
      const sum = sumOf[i] as number
      if (sum < floor || (sum === floor && left-- <= 0)) continue
      sumOf[kept] = sum
      partOf[kept] = partOf[i] as number
      documentOf[kept++] = documentOf[i] as number
    }
    count = kept
  }

  function finish() {
    cut()
    return {
      parts: partOf.slice(0, count),
      documents: documentOf.slice(0, count),
      sums: sumOf.slice(0, count),
    }
  }
}

/** The first place from `from` whose sum reaches `least`, or `end`: most do not. */
function nextReaching(sums: Uint16Array, from: number, end: number, least: number): number {
  let at = from
  while (at < end && (sums[at] as number) < least) at++
  return at
}
