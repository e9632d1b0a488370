import { createIntegers } from './column.ts'

/**
 * Numbers (of skills or repositories) kept in an order, in chunks of at most 512: a change moves what
 * is in one chunk. What `save` gave away stays as it was then.
 */
export interface SortedList {
  readonly size: number
  /** Puts a number that is not in at its place. */
  add(item: number): void
  /** Takes a number out, wherever its place would be by now. */
  remove(item: number): void
  /** The numbers of the ranks from `start` up to, not including, `end`. */
  slice(start: number, end: number): Uint32Array
  /** How many numbers stand before the first one that is not `before`, which must come last. */
  rank(before: (item: number) => boolean): number
  /** A number that grows along the list, from item to item. */
  place(item: number): number
  /** Which of the chunks an item is in. */
  chunkOf(item: number): number
  /** The whole list, piece by piece, each with how many of its first items are in use. */
  chunks(): Iterable<{ readonly items: Uint32Array; readonly count: number }>
  /** Takes in numbers that are in order, in place of all. */
  fill(sorted: Uint32Array): void
  save(): Uint8Array[]
}

interface Chunk {
  items: Uint32Array
  count: number
  id: number
  /** Where it stands among the chunks. */
  position: number
  /** Whether `cells` say where in it its items stand. */
  numbered: boolean
  /** Given away by `save`: copied before it is changed. */
  shared: boolean
}

const placeBits = 9
const capacity = 1 << placeBits
/** Filled so far in bulk, to leave room. */
const filled = 400
/** A chunk below it joins its neighbour. */
const sparse = 128

/** A list in the order of `compare`, under which no two numbers are equal. */
export function createSortedList(compare: (a: number, b: number) => number): SortedList {
  /** By item: the id of its chunk, and below it where the item stood when that was numbered. */
  const cells = createIntegers()
  const byId: Chunk[] = []
  const freeIds: number[] = []
  let chunks: Chunk[] = []
  let size = 0

  return {
    get size() {
      return size
    },
    add,
    remove,
    slice,
    rank,
    place,
    chunkOf: (item) => holderOf(item).position,
    chunks: () => chunks,
    fill,
    save() {
      return chunks.map((chunk) => {
        chunk.shared = true
        return new Uint8Array(chunk.items.buffer, chunk.items.byteOffset, chunk.count * 4)
      })
    },
  }

  function add(item: number) {
    size++
    let chunk = chunks[chunkFor(item)] ?? insertChunk(0, new Uint32Array(0))
    let at = placeIn(chunk, item)
    if (chunk.count === capacity) {
      chunk = makeRoom(chunk, at)
      at = placeIn(chunk, item)
    }
    own(chunk)
    chunk.items.copyWithin(at + 1, at, chunk.count)
    chunk.items[at] = item
    chunk.count++
    assign(chunk, chunk.items.subarray(at, at + 1))
  }

  function holderOf(item: number): Chunk {
    return byId[cells.get(item) >>> placeBits] as Chunk
  }

  /** Notes that these items are in a chunk now, whose items have moved by that. */
  function assign(chunk: Chunk, items: Uint32Array) {
    for (const item of items) cells.set(item, chunk.id << placeBits)
    chunk.numbered = false
  }

  function place(item: number): number {
    const chunk = holderOf(item)
    if (!chunk.numbered) {
      const first = chunk.id << placeBits
      for (let at = 0; at < chunk.count; at++) cells.set(chunk.items[at] as number, first | at)
      chunk.numbered = true
    }
    return (chunk.position << placeBits) | (cells.get(item) & (capacity - 1))
  }

  /** The last chunk that starts at or before the item, or the first. */
  function chunkFor(item: number): number {
    let [low, high] = [0, chunks.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (compare(chunks[middle]?.items[0] ?? 0, item) <= 0) low = middle
      else high = middle
    }
    return low
  }

  function placeIn({ items, count }: Chunk, item: number): number {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(items[middle] as number, item) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Parts a full chunk where the item would go; gives the chunk it now goes to. */
  function makeRoom(chunk: Chunk, at: number): Chunk {
    const { position } = chunk
    // What comes in order, as the newest do, leaves full chunks behind.
    if (at === capacity) return insertChunk(position + 1, new Uint32Array(0))
    if (at === 0) return insertChunk(position, new Uint32Array(0))
    const half = capacity / 2
    const other = insertChunk(position + 1, chunk.items.subarray(half))
    chunk.count = half
    return at <= half ? chunk : other
  }

  function insertChunk(position: number, items: Uint32Array): Chunk {
    const id = freeIds.pop() ?? byId.length
    const chunk = makeChunk(id, items)
    chunks.splice(position, 0, chunk)
    renumber(position)
    return chunk
  }

  function makeChunk(id: number, given: Uint32Array): Chunk {
    const items = new Uint32Array(capacity)
    items.set(given)
    const chunk = { items, count: given.length, id, position: 0, numbered: false, shared: false }
    assign(chunk, given)
    byId[id] = chunk
    return chunk
  }

  function dropChunk(position: number) {
    const [chunk] = chunks.splice(position, 1)
    if (chunk) freeIds.push(chunk.id)
    renumber(position)
  }

  function renumber(from: number) {
    for (let i = from; i < chunks.length; i++) (chunks[i] as Chunk).position = i
  }

  function own(chunk: Chunk) {
    if (!chunk.shared) return
    chunk.items = chunk.items.slice()
    chunk.shared = false
  }

  function remove(item: number) {
    const chunk = holderOf(item)
    own(chunk)
    const at = chunk.items.indexOf(item)
    chunk.items.copyWithin(at, at + 1, chunk.count)
    chunk.count--
    chunk.numbered = false
    size--
    if (chunk.count === 0) dropChunk(chunk.position)
    else if (chunk.count < sparse) join(chunk.position)
  }

  /** Moves a sparse chunk into the one before it, if there is room. */
  function join(position: number) {
    const [into, from] = [chunks[position - 1], chunks[position]]
    if (!into || !from || into.count + from.count > filled) return
    own(into)
    const items = from.items.subarray(0, from.count)
    into.items.set(items, into.count)
    into.count += from.count
    assign(into, items)
    dropChunk(position)
  }

  function slice(start: number, end: number): Uint32Array {
    const found = new Uint32Array(Math.max(0, Math.min(end, size) - start))
    let before = 0
    for (const { items, count } of chunks) {
      if (before >= end) break
      const from = Math.max(0, start - before)
      if (from < count) {
        const part = items.subarray(from, Math.min(count, end - before))
        found.set(part, before + from - start)
      }
      before += count
    }
    return found
  }

  function rank(isBefore: (item: number) => boolean): number {
    let before = 0
    for (const { items, count } of chunks) {
      if (isBefore(items[count - 1] as number)) {
        before += count
        continue
      }
      let [low, high] = [0, count]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (isBefore(items[middle] as number)) low = middle + 1
        else high = middle
      }
      return before + low
    }
    return before
  }

  function fill(sorted: Uint32Array) {
    byId.length = freeIds.length = 0
    size = sorted.length
    const filling: Chunk[] = []
    for (let start = 0; start < size; start += filled) {
      const part = sorted.subarray(start, start + filled)
      filling.push(makeChunk(filling.length, part))
    }
    chunks = filling
    renumber(0)
  }
}
