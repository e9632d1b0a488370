import { FAR, GAP_RUN, LEVELS, type PostingLists, SHORT_RUN, WIDE_RUN } from './posting-lists.ts'

/** Postings on their way into lists, in ascending order of documents. */
export interface PostingCollector {
  add(key: number, document: number, level: number): void
  /** The lists of everything added since the last; `keys` is one more than the highest key. */
  build(keys: number): PostingLists
}

export function createPostingCollector(): PostingCollector {
  let keyOf = new Uint32Array(1 << 12)
  /** document << 4 | level */
  let postings = new Uint32Array(1 << 12)
  let count = 0

  return {
    add(key, document, level) {
      if (count === keyOf.length) {
        keyOf = doubled(keyOf)
        postings = doubled(postings)
      }
      keyOf[count] = key
      postings[count++] = (document << 4) | level
    },
    build(keys) {
      const [of, values] = [keyOf.subarray(0, count), postings.subarray(0, count)]
      count = 0
      // a small segment must not pay for the whole vocabulary
      return writeLists(of.length < keys / 8 ? sortByKey(of, values) : countByKey(of, values, keys))
    },
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
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
function countByKey(keyOf: Uint32Array, postings: Uint32Array, keys: number): Grouped {
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

/** Places are below this in numbers that hold a key and a place. */
const PLACES = 2 ** 26

/** A sort by comparison: in time with the postings alone. */
function sortByKey(keyOf: Uint32Array, postings: Uint32Array): Grouped {
  const order = Float64Array.from(keyOf, (key, place) => key * PLACES + place).sort()
  const values = new Uint32Array(order.length)
  const keys: number[] = []
  const starts: number[] = []
  order.forEach((both, i) => {
    const key = Math.floor(both / PLACES)
    if (keys.at(-1) !== key) {
      keys.push(key)
      starts.push(i)
    }
    values[i] = postings[both - key * PLACES] as number
  })
  starts.push(order.length)
  return { keys: Uint32Array.from(keys), starts: Uint32Array.from(starts), values }
}

function writeLists({ keys, starts: groups, values }: Grouped): PostingLists {
  const starts = new Uint32Array(keys.length + 1)
  const writer = createRunWriter(values.length)
  for (let list = 0; list < keys.length; list++) {
    starts[list] = writer.length()
    writer.list(values, groups[list] as number, groups[list + 1] as number)
  }
  starts[keys.length] = writer.length()
  return { keys, starts, bytes: writer.bytes() }
}

function createRunWriter(postings: number) {
  let bytes = new Uint8Array(postings + 1024)
  let at = 0
  const counts = new Uint32Array(LEVELS + 1)
  let documents = new Uint16Array(1024)
  return { list, length: () => at, bytes: () => bytes.slice(0, at) }

  /** A list's runs, the highest level first. */
  function list(values: Uint32Array, from: number, end: number): void {
    if (end - from === 1) {
      const value = values[from] as number
      reserve(3)
      writeShort(value & 15, value >>> 4)
      return
    }
    if (end - from > documents.length) documents = new Uint16Array(2 * (end - from))
    counts.fill(0)
    for (let i = from; i < end; i++) {
      const level = (values[i] as number) & 15
      counts[level] = (counts[level] as number) + 1
    }
    for (let level = LEVELS - 1; level >= 0; level--) {
      const count = counts[level] as number
      if (count === 0) continue
      let n = 0
      for (let i = from; n < count; i++) {
        const value = values[i] as number
        if ((value & 15) === level) documents[n++] = value >>> 4
      }
      run(level, count)
    }
  }

  function writeShort(level: number, document: number): void {
    bytes[at++] = level << 4
    bytes[at++] = document & 255
    bytes[at++] = document >>> 8
  }

  function run(level: number, count: number): void {
    let gapBytes = count
    let before = 0
    for (let i = 0; i < count; i++) {
      const document = documents[i] as number
      gapBytes += Math.floor((document - before) / FAR)
      before = document
    }
    reserve(2 * count + 6)
    if (gapBytes + 5 < 2 * count) gapRun(level, count, gapBytes)
    else plainRun(level, count)
  }

  function plainRun(level: number, count: number): void {
    if (count <= SHORT_RUN + 1) bytes[at++] = (level << 4) | (count - 1)
    else {
      bytes[at++] = (level << 4) | WIDE_RUN
      bytes[at++] = (count - 1) & 255
      bytes[at++] = (count - 1) >>> 8
    }
    for (let i = 0; i < count; i++) {
      const document = documents[i] as number
      bytes[at++] = document & 255
      bytes[at++] = document >>> 8
    }
  }

  function gapRun(level: number, count: number, length: number): void {
    bytes[at++] = (level << 4) | GAP_RUN
    bytes[at++] = (count - 1) & 255
    bytes[at++] = (count - 1) >>> 8
    bytes[at++] = length & 255
    bytes[at++] = (length >>> 8) & 255
    bytes[at++] = length >>> 16
    let before = 0
    for (let i = 0; i < count; i++) {
      const document = documents[i] as number
      let gap = document - before
      while (gap >= FAR) {
        bytes[at++] = FAR
        gap -= FAR
      }
      bytes[at++] = gap
      before = document
    }
  }

  function reserve(length: number): void {
    if (at + length <= bytes.length) return
    const larger = new Uint8Array(Math.max(bytes.length * 1.5, at + length))
    larger.set(bytes)
    bytes = larger
  }
}
