/**
 * Lists of postings by key (a stem or a word). A posting is a document and its level (an impact, a
 * class of fields); a document stands in a list once.
 *
 * Lists lie in blocks of up to `BLOCK`, ascending by key: one byte, the length of the block's
 * directory; the directory; then the lists one after the other. In the directory a list has one
 * byte, followed by what does not fit:
 *
 *     high two bits: the distance to the key before, less one; from `FAR_KEY` on the rest is a varint
 *     low six bits: 0 to 7     one document at that level, its number in two bytes
 *                   8 to 62    a list of 2 to 56 bytes that mixes levels
 *                   63         a varint: the list's bytes times two, plus one when it has runs
 *
 * A list that mixes levels is numbers `gap << LEVEL_BITS | level`, where the gap is the distance to
 * the document before. One of more than `MOST_MIXED` documents has a run for each of its levels, so
 * that some can be passed over: a varint `count << LEVEL_BITS | level`, a varint of the bytes that
 * follow less count, and the gaps.
 *
 * Gaps and the numbers of mixed lists take one byte below `TWO`, two bytes from `TWO` on and three
 * from `THREE` on, which differ: gaps in runs are mostly small, those in short lists are not.
 */

export const LEVELS = 8
export const LEVEL_BITS = 3
export const LEVEL_MASK = LEVELS - 1

/** Most lists of a block: the directory of so many surely fits 255 bytes. */
export const BLOCK = 24
export const FAR_KEY = 3
/** The form in the directory of a list of `SHORTEST` bytes; those of longer ones follow. */
export const FIRST_LENGTH = LEVELS
export const SHORTEST = 2
/** The form of a list whose length follows. */
export const LONG = 63

export const MOST_MIXED = 128

/** The first bytes of numbers of two bytes and of three in lists that mix levels. */
export const MIXED_TWO = 80
export const MIXED_THREE = 248
/** The first bytes of gaps of two bytes and of three in runs. */
export const GAP_TWO = 224
export const GAP_THREE = 255
/** The first numbers of three bytes, in mixed lists and in runs. */
export const FROM_MIXED_THREE = MIXED_TWO + ((MIXED_THREE - MIXED_TWO) << 8)
export const FROM_GAP_THREE = GAP_TWO + ((GAP_THREE - GAP_TWO) << 8)

export interface PostingLists {
  /** The first key of each block. */
  readonly keys: Uint32Array
  /** Where each block begins in `bytes`. */
  readonly starts: Uint32Array
  readonly bytes: Uint8Array
}

/** Where a list is, and how it is written. */
export interface PostingList {
  /** The level of its only document, or `MIXED` or `RUNS`. */
  form: number
  start: number
  end: number
}

export const MIXED = LEVELS
export const RUNS = LEVELS + 1

/** Sets `list` to the list of a key; false, with anything in `list`, where there is none. */
export function findList(lists: PostingLists, key: number, list: PostingList): boolean {
  const block = blockOf(lists.keys, key)
  if (block < 0) return false
  const { bytes } = lists
  let at = lists.starts[block] as number
  const end = at + 1 + (bytes[at] as number)
  at++
  let found = (lists.keys[block] as number) - 1
  list.end = end
  while (at < end) {
    const entry = bytes[at++] as number
    const distance = entry >>> 6
    found += distance + 1
    if (distance === FAR_KEY) {
      const further = readVarint(bytes, at)
      found += further
      at += varintLength(further)
    }
    const form = entry & LONG
    list.start = list.end
    if (form < FIRST_LENGTH) {
      list.form = form
      list.end += 2
    } else if (form < LONG) {
      list.form = MIXED
      list.end += form - FIRST_LENGTH + SHORTEST
    } else {
      const length = readVarint(bytes, at)
      at += varintLength(length)
      list.form = MIXED + (length & 1)
      list.end += length >>> 1
    }
    if (found >= key) return found === key
  }
  return false
}

/** The last block whose first key is at most `key`, or -1. */
function blockOf(keys: Uint32Array, key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as number) <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A run of a list: its level, the number of its documents and where their gaps are. */
interface Run {
  level: number
  count: number
  start: number
  end: number
}

/** Reads the header of the run at `at`; the next run begins at `end`. */
function readRun(bytes: Uint8Array, at: number, run: Run): void {
  const head = readVarint(bytes, at)
  const beyond = at + varintLength(head)
  const further = readVarint(bytes, beyond)
  run.level = head & LEVEL_MASK
  run.count = head >>> LEVEL_BITS
  run.start = beyond + varintLength(further)
  run.end = run.start + run.count + further
}

const newRun = (): Run => ({ level: 0, count: 0, start: 0, end: 0 })

/** Adds to `counts`, from `at` on, how many documents each level of a list has. */
export function countLevels(
  bytes: Uint8Array,
  { form, start, end }: PostingList,
  counts: Uint32Array,
  at: number,
): void {
  if (form < LEVELS) {
    counts[at + form] = (counts[at + form] as number) + 1
    return
  }
  if (form === MIXED) {
    for (let i = start; i < end; ) {
      i += mixedLength(bytes[i] as number)
      // a number's last byte ends in its level: all that is taken off the number are multiples
      const level = (bytes[i - 1] as number) & LEVEL_MASK
      counts[at + level] = (counts[at + level] as number) + 1
    }
    return
  }
  const run = newRun()
  for (let i = start; i < end; i = run.end) {
    readRun(bytes, i, run)
    counts[at + run.level] = (counts[at + run.level] as number) + run.count
  }
}

/** How many documents a list has. */
export function countPostings(bytes: Uint8Array, { form, start, end }: PostingList): number {
  if (form < LEVELS) return 1
  let total = 0
  if (form === MIXED) {
    for (let i = start; i < end; total++) i += mixedLength(bytes[i] as number)
    return total
  }
  const run = newRun()
  for (let i = start; i < end; i = run.end) {
    readRun(bytes, i, run)
    total += run.count
  }
  return total
}

/**
 * Adds to the sum of each document of a list the weight of its level, which is found in `weights`
 * from `at` on; runs without weight are passed over.
 */
export function addList(
  bytes: Uint8Array,
  { form, start, end }: PostingList,
  weights: Uint16Array,
  at: number,
  sums: Uint16Array,
): void {
  if (form < LEVELS) {
    const document = readShort(bytes, start)
    sums[document] = (sums[document] as number) + (weights[at + form] as number)
  } else if (form === MIXED) {
    let document = 0
    for (let i = start; i < end; ) {
      const first = bytes[i] as number
      let posting = first
      if (first < MIXED_TWO) i++
      else {
        posting = readMixed(bytes, i, first)
        i += first < MIXED_THREE ? 2 : 3
      }
      document += posting >>> LEVEL_BITS
      const weight = weights[at + (posting & LEVEL_MASK)] as number
      sums[document] = (sums[document] as number) + weight
    }
  } else {
    const run = newRun()
    for (let i = start; i < end; i = run.end) {
      readRun(bytes, i, run)
      const weight = weights[at + run.level] as number
      if (weight > 0) addRun(bytes, run, weight, sums)
    }
  }
}

function addRun(bytes: Uint8Array, { start, end }: Run, weight: number, sums: Uint16Array): void {
  let document = 0
  for (let i = start; i < end; ) {
    const first = bytes[i] as number
    if (first < GAP_TWO) {
      document += first
      i++
    } else {
      document += readLongGap(bytes, i, first)
      i += first < GAP_THREE ? 2 : 3
    }
    sums[document] = (sums[document] as number) + weight
  }
}

/** Writes all postings of a list into two columns from 0, in no order; gives their number. */
export function readPostings(
  bytes: Uint8Array,
  { form, start, end }: PostingList,
  documents: Uint16Array,
  levels: Uint8Array,
): number {
  let count = 0
  let document = 0
  if (form < LEVELS) {
    documents[0] = readShort(bytes, start)
    levels[0] = form
    return 1
  }
  if (form === MIXED) {
    for (let i = start; i < end; count++) {
      const first = bytes[i] as number
      const posting = readMixed(bytes, i, first)
      i += mixedLength(first)
      document += posting >>> LEVEL_BITS
      documents[count] = document
      levels[count] = posting & LEVEL_MASK
    }
    return count
  }
  const run = newRun()
  for (let next = start; next < end; next = run.end) {
    readRun(bytes, next, run)
    levels.fill(run.level, count, count + run.count)
    document = 0
    for (let i = run.start; i < run.end; count++) {
      const first = bytes[i] as number
      document += first < GAP_TWO ? first : readLongGap(bytes, i, first)
      i += first < GAP_TWO ? 1 : first < GAP_THREE ? 2 : 3
      documents[count] = document
    }
  }
  return count
}

const mixedLength = (first: number): number => (first < MIXED_TWO ? 1 : first < MIXED_THREE ? 2 : 3)

/** The number at `at` of a list that mixes levels, whose first byte is `first`. */
function readMixed(bytes: Uint8Array, at: number, first: number): number {
  if (first < MIXED_TWO) return first
  const second = bytes[at + 1] as number
  if (first < MIXED_THREE) return MIXED_TWO + (((first - MIXED_TWO) << 8) | second)
  return (
    FROM_MIXED_THREE + (((first - MIXED_THREE) << 16) | (second << 8) | (bytes[at + 2] as number))
  )
}

/** The gap at `at` of a run, whose first byte is `first`, when it takes more than that. */
function readLongGap(bytes: Uint8Array, at: number, first: number): number {
  const second = bytes[at + 1] as number
  if (first < GAP_THREE) return GAP_TWO + (((first - GAP_TWO) << 8) | second)
  return FROM_GAP_THREE + ((second << 8) | (bytes[at + 2] as number))
}

const readShort = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8)

/** Seven bits a byte, the lowest first; the high bit says that more follow. */
function readVarint(bytes: Uint8Array, start: number): number {
  let value = 0
  let shift = 0
  for (let at = start; ; at++) {
    const byte = bytes[at] as number
    value |= (byte & 127) << shift
    if (byte < 128) return value
    shift += 7
  }
}

/** The bytes of a varint of this value. */
function varintLength(value: number): number {
  let length = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++
  return length
}
