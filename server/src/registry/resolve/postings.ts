import { grown } from './growth.ts'
import { PAYLOAD_BITS } from './payload.ts'

/**
 * For each word the documents that hold it, in ascending order: one 32-bit number per posting
 * (document << 12 | payload). Lists live in slots of 64 Ki pages; a list that outgrows the largest
 * slot gets an array of its own. Nothing is ever copied as a whole, so growth never pauses.
 */
export interface Postings {
  /** After `open`: the list is `array[start]` up to, not including, `array[end]`. */
  array: Uint32Array
  start: number
  end: number
  open(word: number): void
  size(word: number): number
  append(word: number, document: number, payload: number): void
  /** The posting of `document` in the list of `word`, or -1. */
  at(word: number, document: number): number
  /** Begins a renumbering: lists follow when next touched, or by `sweep`. */
  renumber(to: Int32Array): void
  /** Brings up to `words` more lists to the new numbers; false once all are. */
  sweep(words: number): boolean
}

const PAGE = 1 << 16
const SIZES = [
  1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
]
const OWN = SIZES.length
const DEAD = -1

export function createPostings(): Postings {
  const pages: Uint32Array[] = []
  let pageEnd = PAGE
  /** Per slot size the first free slot + 1; a free slot's first number is the next free one. */
  const free = new Uint32Array(SIZES.length)
  const owned: Uint32Array[] = []
  const freeOwned: number[] = []
  let location = new Uint32Array(512)
  let counts = new Uint32Array(512)
  let sizeClass = new Uint8Array(512)
  let generationOf = new Uint8Array(512)
  let generation = 0
  let renumbered: Int32Array | undefined
  let swept = 0
  const postings: Postings = {
    array: new Uint32Array(0),
    start: 0,
    end: 0,
    open,
    size: (word) => (word < counts.length ? (counts[word] as number) : 0),
    append,
    at,
    renumber,
    sweep,
  }
  return postings

  function open(word: number): void {
    if (word >= counts.length || counts[word] === 0) {
      postings.start = postings.end = 0
      return
    }
    if (generationOf[word] !== generation) follow(word)
    const place = location[word] as number
    if (sizeClass[word] === OWN) {
      postings.array = owned[place] as Uint32Array
      postings.start = 0
    } else {
      postings.array = pages[place >>> 16] as Uint32Array
      postings.start = place & 0xffff
    }
    postings.end = postings.start + (counts[word] as number)
  }

  function append(word: number, document: number, payload: number): void {
    reserve(word + 1)
    const count = counts[word] as number
    if (count === 0) {
      location[word] = allocate(0)
      sizeClass[word] = 0
      generationOf[word] = generation
    } else if (generationOf[word] !== generation) {
      follow(word)
      append(word, document, payload)
      return
    } else if (count === capacity(word)) resize(word, count + 1)
    const place = location[word] as number
    const array = sizeClass[word] === OWN ? owned[place] : pages[place >>> 16]
    const start = sizeClass[word] === OWN ? 0 : place & 0xffff
    ;(array as Uint32Array)[start + count] = (document << PAYLOAD_BITS) | payload
    counts[word] = count + 1
  }

  function at(word: number, document: number): number {
    open(word)
    const { array } = postings
    let low = postings.start
    let high = postings.end
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((array[middle] as number) >>> PAYLOAD_BITS < document) low = middle + 1
      else high = middle
    }
    if (low === postings.end) return -1
    const posting = array[low] as number
    return posting >>> PAYLOAD_BITS === document ? posting : -1
  }

  function renumber(to: Int32Array): void {
    while (sweep(counts.length));
    generation ^= 1
    renumbered = to
    swept = 0
  }

  function sweep(words: number): boolean {
    if (renumbered === undefined) return false
    const end = Math.min(counts.length, swept + words)
    for (; swept < end; swept++) {
      if ((counts[swept] as number) > 0 && generationOf[swept] !== generation) follow(swept)
    }
    if (swept < counts.length) return true
    // words that were empty must not look stale at the next renumbering
    generationOf.fill(generation)
    renumbered = undefined
    return false
  }

  function follow(word: number): void {
    generationOf[word] = generation
    const to = renumbered as Int32Array
    open(word)
    const { array, start, end } = postings
    let kept = start
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      const document = to[posting >>> PAYLOAD_BITS] as number
      if (document === DEAD) continue
      array[kept++] = (document << PAYLOAD_BITS) | (posting & ((1 << PAYLOAD_BITS) - 1))
    }
    const count = kept - start
    counts[word] = count
    if (count === 0) release(word)
    else if (count * 2 < capacity(word)) resize(word, count)
  }

  function capacity(word: number): number {
    const size = sizeClass[word] as number
    if (size < OWN) return SIZES[size] as number
    return (owned[location[word] as number] as Uint32Array).length
  }

  /** Moves the list to the smallest slot that holds `length` postings. */
  function resize(word: number, length: number): void {
    const count = counts[word] as number
    const from = location[word] as number
    const oldClass = sizeClass[word] as number
    const source = (oldClass === OWN ? owned[from] : pages[from >>> 16]) as Uint32Array
    const start = oldClass === OWN ? 0 : from & 0xffff
    const size = SIZES.findIndex((slot) => slot >= length)
    const kept = Math.min(count, length)
    const list = source.subarray(start, start + kept)
    if (size < 0) {
      const larger = new Uint32Array(length + (length >>> 2))
      larger.set(list)
      release(word)
      const place = freeOwned.pop() ?? owned.length
      owned[place] = larger
      location[word] = place
      sizeClass[word] = OWN
      return
    }
    const place = allocate(size)
    ;(pages[place >>> 16] as Uint32Array).set(list, place & 0xffff)
    release(word)
    location[word] = place
    sizeClass[word] = size
  }

  function release(word: number): void {
    const place = location[word] as number
    const size = sizeClass[word] as number
    if (size === OWN) {
      owned[place] = new Uint32Array(0)
      freeOwned.push(place)
      return
    }
    ;(pages[place >>> 16] as Uint32Array)[place & 0xffff] = free[size] as number
    free[size] = place + 1
  }

  function allocate(size: number): number {
    const slot = free[size] as number
    if (slot !== 0) {
      const place = slot - 1
      free[size] = (pages[place >>> 16] as Uint32Array)[place & 0xffff] as number
      return place
    }
    const length = SIZES[size] as number
    if (pageEnd + length > PAGE) {
      pages.push(new Uint32Array(PAGE))
      pageEnd = 0
    }
    const place = (pages.length - 1) * PAGE + pageEnd
    pageEnd += length
    return place
  }

  function reserve(length: number): void {
    if (length <= counts.length) return
    location = grown(location, length, Uint32Array)
    counts = grown(counts, length, Uint32Array)
    sizeClass = grown(sizeClass, length, Uint8Array)
    const from = generationOf.length
    generationOf = grown(generationOf, length, Uint8Array)
    generationOf.fill(generation, from)
  }
}
