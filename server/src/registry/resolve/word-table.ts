import { grown } from './growth.ts'
import { hashBytes, type ScannedWord } from './tokens.ts'

/** Distinct words numbered from 1, found by what they say. */
export interface WordTable {
  count: number
  /** The number of a word, or 0. */
  find(word: ScannedWord): number
  /** The number of a word, made if new; 0 when there is no room for more. */
  add(word: ScannedWord): number
  text(entry: number): string
  /** Memory held. */
  readonly bytes: number
  /** Exact copies of what is needed to make the table again. */
  save(): SavedWords
}

/** The bytes of all words in a row, and where each begins; the first stands for no word. */
export interface SavedWords {
  pool: Uint8Array
  starts: Uint32Array
}

/**
 * Words are sown by the high bits of their hash over many tables with open addressing, which double
 * one by one: a single table of a million words would hold everything up while it doubles.
 */
const TABLE_BITS = 6
/** A slot holds a number below eight other bits of the hash, so that most others need no reading. */
const ENTRY_BITS = 24
const ENTRY_MASK = 2 ** ENTRY_BITS - 1

/** What a byte of a word means: letters in lower case. */
const MEANT = Uint8Array.from({ length: 256 }, (_, c) => (c > 64 && c < 91 ? c + 32 : c))

export function createWordTable(saved?: SavedWords): WordTable {
  const decoder = new TextDecoder()
  const tables = Array.from({ length: 2 ** TABLE_BITS }, () => new Uint32Array(32))
  const filled = new Uint32Array(tables.length)
  let pool = saved === undefined ? new Uint8Array(4096) : new Uint8Array(saved.pool)
  let starts = saved === undefined ? new Uint32Array(600) : new Uint32Array(saved.starts)
  const table = {
    count: 0,
    get bytes(): number {
      const slots = tables.reduce((sum, { byteLength }) => sum + byteLength, 0)
      return slots + pool.byteLength + starts.byteLength
    },
    find,
    add,
    text,
    save,
  }
  if (saved !== undefined) {
    table.count = starts.length - 2
    for (let entry = 1; entry <= table.count; entry++) enter(entry)
  }
  return table

  function find(word: ScannedWord): number {
    const { text, at, length, hash } = word
    const slots = tables[hash >>> (32 - TABLE_BITS)] as Uint32Array
    const mask = slots.length - 1
    const tag = tagOf(hash)
    for (let slot = hash ^ (hash >>> 15); ; slot++) {
      const held = slots[slot & mask] as number
      if (held === 0) return 0
      if ((held ^ tag) >>> ENTRY_BITS !== 0) continue
      const entry = held & ENTRY_MASK
      const start = starts[entry] as number
      if ((starts[entry + 1] as number) - start !== length) continue
      let i = 0
      while (i < length && pool[start + i] === MEANT[text[at + i] as number]) i++
      if (i === length) return entry
    }
  }

  function add(word: ScannedWord): number {
    const known = find(word)
    if (known !== 0 || table.count === ENTRY_MASK) return known
    const { text, at, length } = word
    const entry = ++table.count
    const start = starts[entry] as number
    const end = start + length
    pool = grown(pool, end, Uint8Array)
    for (let i = 0; i < length; i++) pool[start + i] = MEANT[text[at + i] as number] as number
    starts = grown(starts, entry + 2, Uint32Array)
    starts[entry + 1] = end
    enter(entry)
    return entry
  }

  function enter(entry: number): void {
    const hash = hashOf(entry)
    const of = hash >>> (32 - TABLE_BITS)
    const size = filled[of] as number
    filled[of] = size + 1
    if ((size + 1) * 4 > (tables[of] as Uint32Array).length * 3) double(of)
    place(tables[of] as Uint32Array, entry, hash)
  }

  function double(of: number): void {
    const smaller = tables[of] as Uint32Array
    const larger = new Uint32Array(smaller.length * 2)
    for (const held of smaller) {
      const entry = held & ENTRY_MASK
      if (held !== 0) place(larger, entry, hashOf(entry))
    }
    tables[of] = larger
  }

  /** Reading the hash again saves four bytes a word. */
  function hashOf(entry: number): number {
    return hashBytes(pool, starts[entry] as number, starts[entry + 1] as number)
  }

  function text(entry: number): string {
    return decoder.decode(pool.subarray(starts[entry] as number, starts[entry + 1] as number))
  }

  function save(): SavedWords {
    const { count } = table
    return { pool: pool.slice(0, starts[count + 1] as number), starts: starts.slice(0, count + 2) }
  }
}

function place(slots: Uint32Array, entry: number, hash: number): void {
  const mask = slots.length - 1
  let slot = (hash ^ (hash >>> 15)) & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = tagOf(hash) | entry
}

function tagOf(hash: number): number {
  return (hash << TABLE_BITS) & ~ENTRY_MASK
}
