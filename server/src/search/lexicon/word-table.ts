import { grown } from '../document/growth.ts'
import { type HashedWord, hashBytes } from '../text/hashed-word.ts'
import { createHashTable, emptyTables, MOST_NUMBERS } from './hash-table.ts'

/** Distinct words numbered from 1, found by what they say. */
export interface WordTable {
  count: number
  /** Whether a word may have this hash; of hashes that no word has, one in dozens passes. */
  mayHave(hash: number): boolean
  /** The number of a word, or 0. */
  find(word: HashedWord): number
  /** The number of a word, made if new; 0 when there is no room for more. */
  add(word: HashedWord): number
  text(entry: number): string
  /** The words after a number. */
  after(entry: number): SavedWords
  /** Memory held. */
  readonly bytes: number
  /** Exact copies of what is needed to make the table again. */
  save(): SavedWords
}

/** The bytes of words in a row, and the length of each; of a whole table, the first is no word's. */
export interface SavedWords {
  pool: Uint8Array
  lengths: Uint8Array
}

/** The highest number of a word. */
export const MOST_WORDS = MOST_NUMBERS

/** Words of a span, whose common start is kept: lengths give each word's own. */
const SPAN_BITS = 4
const IN_SPAN = 2 ** SPAN_BITS - 1

/** Bytes in lower case. */
const MEANT = Uint8Array.from({ length: 256 }, (_, c) => (c > 64 && c < 91 ? c + 32 : c))

/** A table of no words, or the saved one again. Throws a RangeError when that cannot be one. */
export function createWordTable(saved?: SavedWords): WordTable {
  const decoder = new TextDecoder()
  const slots = createHashTable(emptyTables(saved?.lengths.length ?? 0), hashOf)
  let pool = saved?.pool.slice() ?? new Uint8Array(4096)
  let lengths = saved?.lengths.slice() ?? new Uint8Array(600)
  /** Where the first word of each span begins in the pool, and where the next new word will. */
  let spans = new Uint32Array(80)
  let end = 0
  const table = {
    count: 0,
    get bytes(): number {
      return slots.bytes + pool.byteLength + lengths.byteLength + spans.byteLength
    },
    mayHave: (hash: number) => slots.first(hash) !== 0,
    find,
    add,
    text,
    after,
    save,
  }
  for (let entry = 1; entry < (saved?.lengths.length ?? 0); entry++) {
    enter(entry, hashBytes(pool, end, end + (lengths[entry] as number)))
  }
  if (saved && end !== pool.length) throw new RangeError('the words are incomplete')
  return table

  function find({ text, at, length, hash }: HashedWord): number {
    for (let entry = slots.first(hash); entry !== 0; entry = slots.next()) {
      if (lengths[entry] !== length) continue
      const start = startOf(entry)
      let i = 0
      while (i < length && pool[start + i] === MEANT[text[at + i] as number]) i++
      if (i === length) return entry
    }
    return 0
  }

  function add(word: HashedWord): number {
    const known = find(word)
    if (known !== 0 || table.count === MOST_WORDS) return known
    const { text, at, length, hash } = word
    const entry = table.count + 1
    pool = grown(pool, end + length, Uint8Array)
    for (let i = 0; i < length; i++) pool[end + i] = MEANT[text[at + i] as number] as number
    lengths = grown(lengths, entry + 1, Uint8Array)
    lengths[entry] = length
    enter(entry, hash)
    return entry
  }

  /** Takes in the next word, whose bytes and length are there. */
  function enter(entry: number, hash: number): void {
    if ((entry & IN_SPAN) === 0) {
      spans = grown(spans, (entry >>> SPAN_BITS) + 1, Uint32Array)
      spans[entry >>> SPAN_BITS] = end
    }
    end += lengths[entry] as number
    table.count = entry
    slots.add(entry, hash)
  }

  function startOf(entry: number): number {
    let start = spans[entry >>> SPAN_BITS] as number
    for (let i = entry & ~IN_SPAN; i < entry; i++) start += lengths[i] as number
    return start
  }

  function hashOf(entry: number): number {
    const start = startOf(entry)
    return hashBytes(pool, start, start + (lengths[entry] as number))
  }

  function text(entry: number): string {
    const start = startOf(entry)
    return decoder.decode(pool.subarray(start, start + (lengths[entry] as number)))
  }

  function after(entry: number): SavedWords {
    const from = startOf(entry) + (lengths[entry] as number)
    return { pool: pool.slice(from, end), lengths: lengths.slice(entry + 1, table.count + 1) }
  }

  function save(): SavedWords {
    return { pool: pool.slice(0, end), lengths: lengths.slice(0, table.count + 1) }
  }
}
