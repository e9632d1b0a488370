/** The documents with the highest sums over several parts. */
export interface TopK {
  /** Starts anew: the best `wanted` are asked for. */
  begin(wanted: number): void
  /** Takes the sums above zero of a part's living documents in. */
  collect(documents: number, dead: Uint8Array, part: number): void
  /** Parts, documents and sums of the best; ties with the last of them up to `MOST_TIED`. */
  finish(): { parts: Uint16Array; documents: Uint32Array; sums: Uint16Array }
}

/** A task of one word makes long ties: so many are still scored exactly, times those wanted. */
const MOST_TIED = 3

/** Sums held between two prunings, times those wanted. */
const HELD = 8

/** Sums of one bucket of the histogram. */
const BUCKET_BITS = 6
const IN_BUCKET = 2 ** BUCKET_BITS - 1

/** The highest bit of a sum of two bytes, of both sums in one number, and the bits below. */
const HIGHEST = 0x8000
const HIGHEST_BITS = 0x80008000 | 0
const LOWER_BITS = 0x7fff7fff

/** @param sums by document of the part at hand, an even number of them; 0 from its end on */
export function createTopK(sums: Uint16Array): TopK {
  let sumOf = new Uint16Array(512)
  let partOf = new Uint16Array(512)
  let documentOf = new Uint32Array(512)
  /** Two sums each. */
  const pairs = new Int32Array(sums.buffer)
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

  function collect(documents: number, dead: Uint8Array, part: number): void {
    let document = -1
    for (;;) {
      document = nextReaching(document + 1, documents)
      if (document === documents) return
      if (dead[document] === 1) continue
      sumOf[count] = sums[document] as number
      partOf[count] = part
      documentOf[count++] = document
      if (count === wanted * HELD) prune()
    }
  }

  /** The highest bucket from which on there are so many sums, or the lowest. */
  function bucketReaching(enough: number): number {
    let reached = 0
    let bucket = buckets.length
    while (reached < enough && bucket > 0) reached += buckets[--bucket] as number
    return bucket
  }

  /**
   * The first document from `from` whose sum may come into the best, or `end`. Two sums are looked at in
   * one number: the highest bit of either half is set if its sum has it, or if the rest of it plus what the
   * floor lacks carries into it.
   */
  function nextReaching(from: number, end: number): number {
    if ((from & 1) === 1 && from < end && (sums[from] as number) >= least) return from
    const lack = HIGHEST - Math.min(least, HIGHEST)
    const lacks = (lack << 16) | lack
    const pairsEnd = (end + 1) >>> 1
    for (let pair = (from + 1) >>> 1; pair < pairsEnd; pair++) {
      const both = pairs[pair] as number
      if (((((both & LOWER_BITS) + lacks) | both) & HIGHEST_BITS) === 0) continue
      const first = 2 * pair
      if ((sums[first] as number) >= least) return first
      if ((sums[first + 1] as number) >= least) return first + 1
    }
    return end
  }

  /** Drops those that `wanted` others surely surpass. */
  function prune(): void {
    const bucket = bucketOfLast()
    const reached = countFrom(bucket)
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
    const last = lastWanted()
    let above = 0
    for (let i = 0; i < count; i++) if ((sumOf[i] as number) > last) above++
    const room = wanted * MOST_TIED - above
    keep(last, room)
    least = count - above < room ? last : last + 1
  }

  /** The sum at the rank of `wanted`: its bucket is found first, then its place within. */
  function lastWanted(): number {
    const bucket = bucketOfLast()
    const above = countFrom(bucket + 1)
    buckets.fill(0)
    for (let i = 0; i < count; i++) {
      const sum = sumOf[i] as number
      if (sum >>> BUCKET_BITS === bucket) addTo(sum & IN_BUCKET)
    }
    return (bucket << BUCKET_BITS) | bucketReaching(wanted - above)
  }

  /** Counts the sums by bucket; gives the one in which the rank of `wanted` is. */
  function bucketOfLast(): number {
    buckets.fill(0)
    for (let i = 0; i < count; i++) addTo((sumOf[i] as number) >>> BUCKET_BITS)
    return bucketReaching(wanted)
  }

  function countFrom(bucket: number): number {
    let sum = 0
    for (let i = bucket; i < buckets.length; i++) sum += buckets[i] as number
    return sum
  }

  function addTo(bucket: number): void {
    buckets[bucket] = (buckets[bucket] as number) + 1
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
