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
  /** A number that grows along the list, the same for at most 512 neighbours. */
  place(item: number): number
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
  /** Given away by `save`: copied before it is changed. */
  shared: boolean
}

const capacity = 512
/** Filled so far in bulk, to leave room. */
const filled = 400
/** A chunk below it joins its neighbour. */
const sparse = 128

/** A list in the order of `compare`, under which no two numbers are equal. */
export function createSortedList(compare: (a: number, b: number) => number): SortedList {
  const chunkOf = createIntegers()
  const byId: Chunk[] = []
  const freeIds: number[] = []
  /** Positions in `chunks` by id. */
  const positions: number[] = []
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
    place: (item) => positions[chunkOf.get(item)] ?? 0,
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
    chunkOf.set(item, chunk.id)
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
    const position = positions[chunk.id] ?? 0
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
    const chunk = { items: new Uint32Array(capacity), count: items.length, id, shared: false }
    chunk.items.set(items)
    for (const item of items) chunkOf.set(item, id)
    byId[id] = chunk
    chunks.splice(position, 0, chunk)
    renumber(position)
    return chunk
  }

  function dropChunk(position: number) {
    const [chunk] = chunks.splice(position, 1)
    if (chunk) freeIds.push(chunk.id)
    renumber(position)
  }

  function renumber(from: number) {
    for (let i = from; i < chunks.length; i++) positions[(chunks[i] as Chunk).id] = i
  }

  function own(chunk: Chunk) {
    if (!chunk.shared) return
    chunk.items = chunk.items.slice()
    chunk.shared = false
  }

  function remove(item: number) {
    const chunk = byId[chunkOf.get(item)] as Chunk
    own(chunk)
    const at = chunk.items.indexOf(item)
    chunk.items.copyWithin(at, at + 1, chunk.count)
    chunk.count--
    size--
    const position = positions[chunk.id] ?? 0
    if (chunk.count === 0) dropChunk(position)
    else if (chunk.count < sparse) join(position)
  }

  /** Moves a sparse chunk into the one before it, if there is room. */
  function join(position: number) {
    const [into, from] = [chunks[position - 1], chunks[position]]
    if (!into || !from || into.count + from.count > filled) return
    own(into)
    const items = from.items.subarray(0, from.count)
    into.items.set(items, into.count)
    into.count += from.count
    for (const item of items) chunkOf.set(item, into.id)
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
      const id = filling.length
      const chunk = { items: new Uint32Array(capacity), count: part.length, id, shared: false }
      chunk.items.set(part)
      for (const item of part) chunkOf.set(item, id)
      byId[id] = chunk
      filling.push(chunk)
    }
    chunks = filling
    renumber(0)
  }
}
