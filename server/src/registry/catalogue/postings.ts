/**
 * Which slots have which tags and lie in which repositories: triples of a group's two words and a
 * slot, in order, in chunks. What `save` gave away stays as it was then.
 */
export interface Postings {
  add(group: Group, slot: number): void
  /** Takes a slot out of a group; one that is not in is ignored. */
  remove(group: Group, slot: number): void
  /** How many slots a group has. */
  count(group: Group): number
  /** Writes the slots of a group, ascending, into `slots` from `at` on; gives where they end. */
  collect(group: Group, slots: Uint32Array, at: number): number
  save(): Uint8Array[]
  restore(bytes: Uint8Array): void
}

/** The two words that name a group. */
export type Group = readonly [number, number]

interface Chunk {
  triples: Uint32Array
  /** Words in use: three a triple. */
  end: number
  shared: boolean
}

const capacity = 3 * 512
const filled = 3 * 400
const sparse = 3 * 128

export function createPostings(): Postings {
  let chunks: Chunk[] = [chunkOf(new Uint32Array(0))]

  return {
    add(group, slot) {
      let position = chunkFor(group, slot)
      let chunk = chunks[position] as Chunk
      let at = placeIn(chunk, group, slot)
      if (isAt(chunk, at, group, slot)) return
      if (chunk.end === capacity) {
        const half = at === capacity ? capacity : capacity / 2
        chunks.splice(position + 1, 0, chunkOf(chunk.triples.subarray(half)))
        chunk.end = half
        if (at > half || half === capacity) {
          position++
          chunk = chunks[position] as Chunk
          at -= half
        }
      }
      own(chunk)
      chunk.triples.copyWithin(at + 3, at, chunk.end)
      chunk.triples[at] = group[0]
      chunk.triples[at + 1] = group[1]
      chunk.triples[at + 2] = slot
      chunk.end += 3
    },
    remove(group, slot) {
      const position = chunkFor(group, slot)
      const chunk = chunks[position] as Chunk
      const at = placeIn(chunk, group, slot)
      if (!isAt(chunk, at, group, slot)) return
      own(chunk)
      chunk.triples.copyWithin(at, at + 3, chunk.end)
      chunk.end -= 3
      if (chunk.end === 0 && chunks.length > 1) chunks.splice(position, 1)
      else if (chunk.end < sparse) join(position)
    },
    count(group) {
      let found = 0
      each(group, (_, from, to) => {
        found += (to - from) / 3
      })
      return found
    },
    collect(group, slots, start) {
      let end = start
      each(group, (triples, from, to) => {
        for (let at = from + 2; at < to; at += 3) slots[end++] = triples[at] as number
      })
      return end
    },
    save: () =>
      chunks.map((chunk) => {
        chunk.shared = true
        return new Uint8Array(chunk.triples.buffer, chunk.triples.byteOffset, chunk.end * 4)
      }),
    restore(bytes) {
      chunks = []
      for (let start = 0; start === 0 || start < bytes.length; start += filled * 4) {
        const part = bytes.slice(start, start + filled * 4)
        chunks.push(chunkOf(new Uint32Array(part.buffer, 0, part.length / 4)))
      }
    },
  }

  /** The last chunk that starts at or before the triple, or the first. */
  function chunkFor(group: Group, slot: number): number {
    let [low, high] = [0, chunks.length]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (compareAt((chunks[middle] as Chunk).triples, 0, group, slot) <= 0) low = middle
      else high = middle
    }
    return low
  }

  /** Calls `visit` with each run of a group's triples. */
  function each(group: Group, visit: (triples: Uint32Array, from: number, to: number) => void) {
    for (let position = chunkFor(group, 0); position < chunks.length; position++) {
      const chunk = chunks[position] as Chunk
      const from = compareAt(chunk.triples, 0, group, 0) >= 0 ? 0 : placeIn(chunk, group, 0)
      const to = endsWith(chunk, group) ? chunk.end : placeIn(chunk, group, mostSlots)
      if (to > from) visit(chunk.triples, from, to)
      if (to < chunk.end) return
    }
  }

  function join(position: number) {
    const [into, from] = [chunks[position - 1], chunks[position]]
    if (!into || !from || into.end + from.end > filled) return
    own(into)
    into.triples.set(from.triples.subarray(0, from.end), into.end)
    into.end += from.end
    chunks.splice(position, 1)
  }
}

/** Above every slot. */
const mostSlots = 0xffffffff

function chunkOf(triples: Uint32Array): Chunk {
  const chunk = { triples: new Uint32Array(capacity), end: triples.length, shared: false }
  chunk.triples.set(triples)
  return chunk
}

function own(chunk: Chunk) {
  if (!chunk.shared) return
  chunk.triples = chunk.triples.slice()
  chunk.shared = false
}

/** Where the triple stands in the chunk, or would stand. */
function placeIn({ triples, end }: Chunk, group: Group, slot: number): number {
  let [low, high] = [0, end / 3]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAt(triples, middle * 3, group, slot) < 0) low = middle + 1
    else high = middle
  }
  return low * 3
}

const endsWith = ({ triples, end }: Chunk, [first, second]: Group): boolean =>
  end > 0 && triples[end - 3] === first && triples[end - 2] === second

const isAt = ({ triples, end }: Chunk, at: number, group: Group, slot: number): boolean =>
  at < end && compareAt(triples, at, group, slot) === 0

const compareAt = (triples: Uint32Array, at: number, [first, second]: Group, slot: number) =>
  (triples[at] as number) - first ||
  (triples[at + 1] as number) - second ||
  (triples[at + 2] as number) - slot
