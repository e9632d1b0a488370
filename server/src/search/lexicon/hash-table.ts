/**
 * Numbers, each found by the hash of what it stands for. Hashes may agree where what they stand for
 * does not, so who looks for a number has to check each that is given.
 */
export interface HashTable {
  /** The first number that may have this hash, or 0. */
  first(hash: number): number
  /** The next that may have the hash that was last given to `first`, or 0. */
  next(): number
  /** Takes in a number from 1 to `MOST_NUMBERS` that is not there. */
  add(number: number, hash: number): void
  /** Memory held. */
  readonly bytes: number
  /** A copy for `savedTables`. */
  save(): Uint32Array
}

/**
 * Numbers are sown by the high bits of their hash over many tables with open addressing, which grow
 * one by one: a single table of a million numbers would hold everything up while it grows. What a slot
 * holds is never less than what has its place there and stands further on, so that a search for what
 * is not there ends soon (ordered hashing).
 */
const TABLE_BITS = 7
const TABLES = 2 ** TABLE_BITS
/** A slot holds a number below eight other bits of the hash, so that most others need no check. */
const NUMBER_BITS = 24
/** The highest number that slots can hold. */
export const MOST_NUMBERS = 2 ** NUMBER_BITS - 1

/** Slots of a table at first. */
const LEAST_SLOTS = 16
/** A table with more than this share of its slots taken grows by two fifths. */
const FULL = 0.94
const GROWTH = 1.4

/** Empty tables for about so many numbers. */
export function emptyTables(expected: number): Uint32Array[] {
  const least = Math.max(LEAST_SLOTS, expected / TABLES / FULL)
  // of different lengths, so that no two of them grow at the same time
  return Array.from(
    { length: TABLES },
    (_, of) => new Uint32Array(Math.ceil(least * GROWTH ** (of / TABLES))),
  )
}

/** The tables of slots that were saved. Throws a RangeError when those cannot be. */
export function savedTables(saved: Uint32Array): Uint32Array[] {
  let end = TABLES
  const tables = Array.from(saved.subarray(0, TABLES), (length) => {
    end += length
    return saved.slice(end - length, end)
  })
  // a search ends at a free slot
  if (
    tables.length !== TABLES ||
    end !== saved.length ||
    !tables.every((table) => table.includes(0))
  ) {
    throw new RangeError('the slots are incomplete')
  }
  return tables
}

/** Slots of these tables. `hashOf` gives the hash of a number that was added. */
export function createHashTable(
  tables: Uint32Array[],
  hashOf: (number: number) => number,
): HashTable {
  const filled = Uint32Array.from(tables, sizeOf)
  /** Where `next` goes on, and the tag it looks for. */
  let slots: Uint32Array = new Uint32Array(1)
  let slot = 0
  let tag = 0
  /** What a slot holds at least as long as the tag may follow. */
  let least = 0
  return {
    first,
    next,
    add,
    get bytes() {
      return tables.reduce((sum, { byteLength }) => sum + byteLength, 0)
    },
    save,
  }

  function first(hash: number): number {
    slots = tables[tableOf(hash)] as Uint32Array
    slot = slotOf(hash, slots.length)
    tag = tagOf(hash)
    least = (tag | 1) >>> 0
    return next()
  }

  function next(): number {
    for (;;) {
      const held = slots[slot] as number
      if (held < least) return 0
      if (++slot === slots.length) slot = 0
      if ((held ^ tag) >>> NUMBER_BITS === 0) return held & MOST_NUMBERS
    }
  }

  function add(number: number, hash: number): void {
    const of = tableOf(hash)
    const size = (filled[of] as number) + 1
    filled[of] = size
    if (size > (tables[of] as Uint32Array).length * FULL) grow(of)
    place(tables[of] as Uint32Array, number, hash)
  }

  /** Asking for the hashes again saves four bytes a number. */
  function grow(of: number): void {
    const smaller = tables[of] as Uint32Array
    const larger = new Uint32Array(Math.ceil(smaller.length * GROWTH))
    for (const held of smaller) {
      const number = held & MOST_NUMBERS
      if (held !== 0) place(larger, number, hashOf(number))
    }
    tables[of] = larger
  }

  /** The lengths of all tables, and then their slots. */
  function save(): Uint32Array {
    const slots = tables.reduce((sum, { length }) => sum + length, 0)
    const saved = new Uint32Array(TABLES + slots)
    let end = TABLES
    tables.forEach((table, of) => {
      saved[of] = table.length
      saved.set(table, end)
      end += table.length
    })
    return saved
  }
}

/** Slots of a table that are taken. */
function sizeOf(table: Uint32Array): number {
  let size = 0
  for (const held of table) if (held !== 0) size++
  return size
}

/** Takes a number in; lesser ones on its way move on. */
function place(slots: Uint32Array, number: number, hash: number): void {
  let slot = slotOf(hash, slots.length)
  let left = (tagOf(hash) | number) >>> 0
  while (left !== 0) {
    const held = slots[slot] as number
    if (held < left) {
      slots[slot] = left
      left = held
    }
    if (++slot === slots.length) slot = 0
  }
}

function tableOf(hash: number): number {
  return hash >>> (32 - TABLE_BITS)
}

/** The first slot to look at, of any number of slots. */
function slotOf(hash: number, slots: number): number {
  return ((Math.imul(hash, 0x9e3779b1) >>> 0) * (slots / 2 ** 32)) | 0
}

function tagOf(hash: number): number {
  return (hash << TABLE_BITS) & ~MOST_NUMBERS
}
