import { REPEATED, SECTION_END } from './forward-index.ts'
import { grown } from './growth.ts'
import { createUnitSet, FIRST_RARE, unitOf } from './word-units.ts'

/**
 * The codec of words with frequencies and no positions: the number of groups, then each group: the
 * frequency of its words (a place in `COUNTS`), how many they are, and their ascending gaps. Numbers
 * below 200 take one byte, those up to 14,279 two, larger ones four.
 */

/** The frequencies that are kept: evidence saturates, so that others are rounded down to these. */
const COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256] as const
const MOST = COUNTS[COUNTS.length - 1] as number

/** The place in `COUNTS` of each number up to `MOST`. */
const CLASS_OF = Uint8Array.from({ length: MOST + 1 }, (_, count) =>
  Math.max(
    0,
    COUNTS.findLastIndex((least) => least <= count),
  ),
)

const TWO_BYTES = 200
const FOUR_BYTES = 255

const sizes = new Uint32Array(COUNTS.length)
/** Where the next word of each group goes. */
const next = new Uint32Array(COUNTS.length)
let groupOf = new Uint8Array(1024)
let byGroup = new Uint32Array(1024)

/** Packs the sorted tokens of a section; gives where its bytes end. */
export function packFrequencies(
  tokens: Uint32Array,
  from: number,
  to: number,
  bytes: Uint8Array,
  start: number,
): number {
  groupWords(tokens, from, to)
  let at = start + 1
  let groups = 0
  let i = 0
  for (let group = 0; group < COUNTS.length; group++) {
    const size = sizes[group] as number
    if (size === 0) continue
    groups++
    bytes[at++] = group
    at = write(size, bytes, at)
    let before = 0
    for (const end = i + size; i < end; i++) {
      const word = byGroup[i] as number
      at = write(word - before, bytes, at)
      before = word
    }
  }
  bytes[start] = groups
  return at
}

/** Puts the words of each group together in `byGroup`, by the groups' `sizes`. */
function groupWords(tokens: Uint32Array, from: number, to: number): void {
  groupOf = grown(groupOf, to - from, Uint8Array)
  byGroup = grown(byGroup, to - from, Uint32Array)
  sizes.fill(0)
  for (let i = from; i < to; i++) {
    if ((tokens[i] as number) >= REPEATED) continue
    const group = classAt(tokens, i)
    groupOf[i - from] = group
    sizes[group] = (sizes[group] as number) + 1
  }
  next[0] = 0
  for (let group = 1; group < COUNTS.length; group++) {
    next[group] = (next[group - 1] as number) + (sizes[group - 1] as number)
  }
  for (let i = from; i < to; i++) {
    const word = tokens[i] as number
    if (word >= REPEATED) continue
    const group = groupOf[i - from] as number
    const place = next[group] as number
    byGroup[place] = word
    next[group] = place + 1
  }
}

/** The group of the word at `i`, by the repeats that follow it. */
function classAt(tokens: Uint32Array, i: number): number {
  const following = tokens[i + 1] as number
  if (following < REPEATED || following === SECTION_END) return 0
  return CLASS_OF[Math.min(following - REPEATED + 1, MOST)] as number
}

function write(number: number, bytes: Uint8Array, start: number): number {
  let at = start
  if (number < TWO_BYTES) {
    bytes[at++] = number
    return at
  }
  const rest = number - TWO_BYTES
  if (rest >>> 8 < FOUR_BYTES - TWO_BYTES) bytes[at++] = TWO_BYTES + (rest >>> 8)
  else {
    bytes[at++] = FOUR_BYTES
    bytes[at++] = rest >>> 16
    bytes[at++] = (rest >>> 8) & 255
  }
  bytes[at++] = rest & 255
  return at
}

/** Places of a reader: the next byte to read, and how many tokens it has written. */
export interface CodecCursor {
  at: number
  count: number
}

const EVERY_UNIT = createUnitSet().fill(1)

/**
 * Reads the section at the cursor into `tokens`, by frequency: all of its words, or those whose unit is in
 * `wanted`; rare words, which share units, only where `marks` has a number for them.
 */
export function readFrequencies(
  bytes: Uint8Array,
  cursor: CodecCursor,
  tokens: Uint32Array,
  wanted: Uint8Array = EVERY_UNIT,
  marks?: Uint16Array,
): void {
  let { at, count } = cursor
  for (let groups = bytes[at++] as number; groups > 0; groups--) {
    const repeated = REPEATED + (COUNTS[bytes[at++] as number] as number) - 1
    const size = bytes[at++] as number
    let left = size
    if (size >= TWO_BYTES) {
      left = longNumber(bytes, at - 1)
      at += size < FOUR_BYTES ? 1 : 3
    }
    let word = 0
    for (; left > 0; left--) {
      const gap = bytes[at++] as number
      if (gap < TWO_BYTES) word += gap
      else {
        word += longNumber(bytes, at - 1)
        at += gap < FOUR_BYTES ? 1 : 3
      }
      if (wanted[unitOf(word)] === 0) continue
      if (word >= FIRST_RARE && marks !== undefined && marks[word] === 0) continue
      tokens[count++] = word
      if (repeated > REPEATED) tokens[count++] = repeated
    }
  }
  cursor.at = at
  cursor.count = count
}

/** The number of more than one byte that begins at `at`. */
function longNumber(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  const second = bytes[at + 1] as number
  if (first < FOUR_BYTES) return TWO_BYTES + (((first - TWO_BYTES) << 8) | second)
  const low = ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)
  return TWO_BYTES + ((second << 16) | low)
}
