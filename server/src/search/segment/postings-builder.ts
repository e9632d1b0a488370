import { type ByteWriter, createByteWriter } from './byte-writer.ts'
import {
  BLOCK,
  FAR_KEY,
  FIRST_LENGTH,
  FROM_GAP_THREE,
  FROM_MIXED_THREE,
  GAP_THREE,
  GAP_TWO,
  LEVEL_BITS,
  LEVEL_MASK,
  LEVELS,
  LONG,
  MIXED_THREE,
  MIXED_TWO,
  MOST_MIXED,
  type PostingLists,
  SHORTEST,
} from './postings.ts'
import { SEGMENT_DOCUMENTS } from './segment.ts'

/** Postings on their way into lists, in ascending order of documents. */
export interface PostingsBuilder {
  /** `key` is the number of a word, at most `MOST_WORDS`. */
  add(key: number, document: number, level: number): void
  /** The lists of everything added; `keys` is one more than the highest key. To be called once. */
  build(keys: number): PostingLists
}

/** Above every posting: a document and its level. */
const POSTINGS = SEGMENT_DOCUMENTS * LEVELS

/** A builder with room for so many postings, which grows where more come. */
export function createPostingsBuilder(room: number): PostingsBuilder {
  let keyOf = new Uint32Array(room)
  /** document << LEVEL_BITS | level */
  let postings = new Uint32Array(room)
  let count = 0

  return {
    add(key, document, level) {
      if (count === keyOf.length) {
        keyOf = doubled(keyOf)
        postings = doubled(postings)
      }
      keyOf[count] = key
      postings[count++] = (document << LEVEL_BITS) | level
    },
    build(keys) {
      const [of, values] = [keyOf.subarray(0, count), postings.subarray(0, count)]
      // a small segment must not pay for the whole vocabulary
      return writeLists(of.length < keys / 8 ? groupFew(of, values) : groupMany(of, values, keys))
    },
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2 + 1024)
  larger.set(array)
  return larger
}

/** The distinct keys, ascending, and the postings of each together, in the order they came. */
interface Grouped {
  keys: Uint32Array
  /** One more than there are keys. */
  starts: Uint32Array
  values: Uint32Array
}

/** A counting sort: in time with the postings and the highest key. */
function groupMany(keyOf: Uint32Array, postings: Uint32Array, keys: number): Grouped {
  const next = new Uint32Array(keys + 1)
  for (let i = 0; i < keyOf.length; i++) {
    const after = (keyOf[i] as number) + 1
    next[after] = (next[after] as number) + 1
  }
  const present: number[] = []
  const starts: number[] = []
  for (let key = 0; key < keys; key++) {
    if (next[key + 1] !== 0) {
      present.push(key)
      starts.push(next[key] as number)
    }
    next[key + 1] = (next[key + 1] as number) + (next[key] as number)
  }
  const values = new Uint32Array(keyOf.length)
  for (let i = 0; i < keyOf.length; i++) {
    const key = keyOf[i] as number
    const at = next[key] as number
    values[at] = postings[i] as number
    next[key] = at + 1
  }
  starts.push(keyOf.length)
  return { keys: Uint32Array.from(present), starts: Uint32Array.from(starts), values }
}

/** Sorts keys and postings as one number each: in time with the postings alone. */
function groupFew(keyOf: Uint32Array, postings: Uint32Array): Grouped {
  const sorted = new Float64Array(keyOf.length)
  for (let i = 0; i < sorted.length; i++) {
    sorted[i] = (keyOf[i] as number) * POSTINGS + (postings[i] as number)
  }
  sorted.sort()
  const values = new Uint32Array(sorted.length)
  const keys: number[] = []
  const starts: number[] = []
  let last = -1
  for (let i = 0; i < sorted.length; i++) {
    const key = Math.floor((sorted[i] as number) / POSTINGS)
    values[i] = (sorted[i] as number) - key * POSTINGS
    if (key === last) continue
    keys.push(key)
    starts.push(i)
    last = key
  }
  starts.push(sorted.length)
  return { keys: Uint32Array.from(keys), starts: Uint32Array.from(starts), values }
}

function writeLists({ keys, starts, values }: Grouped): PostingLists {
  const blocks = Math.ceil(keys.length / BLOCK)
  const blockKeys = new Uint32Array(blocks)
  const blockStarts = new Uint32Array(blocks)
  const written = createByteWriter(values.length + keys.length)
  const directory = createByteWriter(256)
  const lists = createByteWriter(4096)
  const writeRuns = createRunWriter(lists)
  for (let block = 0; block < blocks; block++) {
    const first = block * BLOCK
    blockKeys[block] = keys[first] as number
    blockStarts[block] = written.length
    directory.length = 0
    lists.length = 0
    for (let i = first; i < first + BLOCK && i < keys.length; i++) {
      const distance = i === first ? 1 : (keys[i] as number) - (keys[i - 1] as number)
      addList(distance, starts[i] as number, starts[i + 1] as number)
    }
    written.write(directory.length)
    written.append(directory)
    written.append(lists)
  }
  return { keys: blockKeys, starts: blockStarts, bytes: written.view().slice() }

  function addList(distance: number, from: number, end: number): void {
    if (end - from === 1) {
      const posting = values[from] as number
      const document = posting >>> LEVEL_BITS
      lists.write(document & 255)
      lists.write(document >>> 8)
      addEntry(distance, posting & LEVEL_MASK)
      return
    }
    const before = lists.length
    const mixed = end - from <= MOST_MIXED
    if (mixed) writeMixed(lists, values, from, end)
    else writeRuns(values, from, end)
    const length = lists.length - before
    const form = FIRST_LENGTH + length - SHORTEST
    if (mixed && form < LONG) addEntry(distance, form)
    else {
      addEntry(distance, LONG)
      directory.varint((length << 1) | (mixed ? 0 : 1))
    }
  }

  function addEntry(distance: number, form: number): void {
    const near = Math.min(distance - 1, FAR_KEY)
    directory.write((near << 6) | form)
    if (near === FAR_KEY) directory.varint(distance - 1 - FAR_KEY)
  }
}

function writeMixed(out: ByteWriter, values: Uint32Array, from: number, end: number): void {
  const bytes = out.reserve(3 * (end - from))
  let at = out.length
  let document = 0
  for (let i = from; i < end; i++) {
    const posting = values[i] as number
    const number = posting - (document << LEVEL_BITS)
    document = posting >>> LEVEL_BITS
    if (number < MIXED_TWO) bytes[at++] = number
    else if (number < FROM_MIXED_THREE) {
      bytes[at++] = MIXED_TWO + ((number - MIXED_TWO) >>> 8)
      bytes[at++] = (number - MIXED_TWO) & 255
    } else {
      const rest = number - FROM_MIXED_THREE
      bytes[at++] = MIXED_THREE + (rest >>> 16)
      bytes[at++] = (rest >>> 8) & 255
      bytes[at++] = rest & 255
    }
  }
  out.length = at
}

/** Writes lists split by level, the highest first. */
function createRunWriter(out: ByteWriter) {
  const counts = new Uint32Array(LEVELS)
  /** The bytes that each level's gaps take beyond one each. */
  const further = new Uint32Array(LEVELS)
  /** The last document of each level. */
  const last = new Uint32Array(LEVELS)
  /** Where the next gap of each level goes. */
  const next = new Uint32Array(LEVELS)
  let gaps = new Uint16Array(1024)
  return write

  function write(values: Uint32Array, from: number, end: number): void {
    if (end - from > gaps.length) gaps = new Uint16Array(2 * (end - from))
    sortGaps(values, from, end)
    for (let level = LEVELS - 1; level >= 0; level--) {
      const count = counts[level] as number
      if (count === 0) continue
      out.varint((count << LEVEL_BITS) | level)
      out.varint(further[level] as number)
      const after = next[level] as number
      writeGaps(after - count, after)
    }
  }

  /** Puts the gaps of each level together, in the order of the levels. */
  function sortGaps(values: Uint32Array, from: number, end: number): void {
    counts.fill(0)
    further.fill(0)
    last.fill(0)
    for (let i = from; i < end; i++) {
      const level = (values[i] as number) & LEVEL_MASK
      counts[level] = (counts[level] as number) + 1
    }
    next[0] = 0
    for (let level = 1; level < LEVELS; level++) {
      next[level] = (next[level - 1] as number) + (counts[level - 1] as number)
    }
    for (let i = from; i < end; i++) {
      const posting = values[i] as number
      const level = posting & LEVEL_MASK
      const document = posting >>> LEVEL_BITS
      const gap = document - (last[level] as number)
      const place = next[level] as number
      gaps[place] = gap
      next[level] = place + 1
      last[level] = document
      const more = gap < GAP_TWO ? 0 : gap < FROM_GAP_THREE ? 1 : 2
      further[level] = (further[level] as number) + more
    }
  }

  function writeGaps(from: number, end: number): void {
    const bytes = out.reserve(3 * (end - from))
    let at = out.length
    for (let i = from; i < end; i++) {
      const gap = gaps[i] as number
      if (gap < GAP_TWO) bytes[at++] = gap
      else if (gap < FROM_GAP_THREE) {
        bytes[at++] = GAP_TWO + ((gap - GAP_TWO) >>> 8)
        bytes[at++] = (gap - GAP_TWO) & 255
      } else {
        bytes[at++] = GAP_THREE
        bytes[at++] = (gap - FROM_GAP_THREE) >>> 8
        bytes[at++] = (gap - FROM_GAP_THREE) & 255
      }
    }
    out.length = at
  }
}
