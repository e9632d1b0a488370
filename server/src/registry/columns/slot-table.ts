/**
 * Slots by a hash that the caller can work out for each of them. The table is cut into small ones by
 * the first bits of the hash; one that is full splits in two, so growing never takes long
 * (extendible hashing).
 */
export interface SlotTable {
  /** The slot of this hash that fits; undefined when none does. */
  find(hash: number, fits: (slot: number) => boolean): number | undefined
  add(slot: number): void
  /** Takes a slot out; one that is not in is ignored. */
  remove(slot: number): void
}

interface Part {
  /** Slot + 1, or 0 where nothing is. */
  cells: Uint32Array
  count: number
  /** Leading bits of the hash that all in it share. */
  depth: number
}

const smallest = 1024

/** Bits by which hashes of a good spread may make one part deeper than the others. */
const tolerance = 4

/** A table over hashes of 32 bits, which must not change while a slot is in. */
export function createSlotTable(hashOf: (slot: number) => number): SlotTable {
  let depth = 0
  let size = 0
  let parts: Part[] = [{ cells: new Uint32Array(smallest), count: 0, depth: 0 }]

  const indexOf = (hash: number) => (depth === 0 ? 0 : hash >>> (32 - depth))
  const partOf = (hash: number) => parts[indexOf(hash)] as Part

  return {
    find(hash, fits) {
      const { cells } = partOf(hash)
      const mask = cells.length - 1
      for (let at = hash & mask; cells[at] !== 0; at = (at + 1) & mask) {
        const slot = (cells[at] as number) - 1
        if (hashOf(slot) === hash && fits(slot)) return slot
      }
      return undefined
    },
    add(slot) {
      const hash = hashOf(slot)
      let part = partOf(hash)
      while ((part.count + 1) * 5 > part.cells.length * 4) {
        if (part.depth < tolerance + Math.log2(1 + size / smallest)) split(part, hash)
        else widen(part)
        part = partOf(hash)
      }
      place(part, slot, hash)
      size++
    },
    remove(slot) {
      const hash = hashOf(slot)
      const part = partOf(hash)
      const { cells } = part
      const mask = cells.length - 1
      let at = hash & mask
      while (cells[at] !== slot + 1) {
        if (cells[at] === 0) return
        at = (at + 1) & mask
      }
      close(cells, at)
      part.count--
      size--
    },
  }

  function place(part: Part, slot: number, hash: number) {
    const mask = part.cells.length - 1
    let at = hash & mask
    while (part.cells[at] !== 0) at = (at + 1) & mask
    part.cells[at] = slot + 1
    part.count++
  }

  /** Moves what stands behind an emptied cell up, so that no search ends too early. */
  function close(cells: Uint32Array, from: number) {
    const mask = cells.length - 1
    let gap = from
    for (let at = (gap + 1) & mask; cells[at] !== 0; at = (at + 1) & mask) {
      const home = hashOf((cells[at] as number) - 1) & mask
      if (((at - home) & mask) < ((at - gap) & mask)) continue
      cells[gap] = cells[at] as number
      gap = at
    }
    cells[gap] = 0
  }

  function split(part: Part, hash: number) {
    if (part.depth === depth) {
      parts = parts.flatMap((each) => [each, each])
      depth++
    }
    const deeper = part.depth + 1
    const length = part.cells.length
    const make = (): Part => ({ cells: new Uint32Array(length), count: 0, depth: deeper })
    const [low, high] = [make(), make()]
    for (const cell of part.cells) {
      if (cell === 0) continue
      const its = hashOf(cell - 1)
      place((its >>> (32 - deeper)) & 1 ? high : low, cell - 1, its)
    }
    const span = 1 << (depth - part.depth)
    const first = indexOf(hash) & ~(span - 1)
    for (let i = 0; i < span; i++) parts[first + i] = i < span / 2 ? low : high
  }

  /** For hashes that are alike, which no split would part. */
  function widen(part: Part) {
    const { cells } = part
    part.cells = new Uint32Array(cells.length * 2)
    part.count = 0
    for (const cell of cells) if (cell !== 0) place(part, cell - 1, hashOf(cell - 1))
  }
}
