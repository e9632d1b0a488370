import { createIntegers } from './column.ts'
import { mixWords } from './hashes.ts'
import { createSlotTable } from './slot-table.ts'

/** The ids of the skills by slot, sixteen bytes each, and the slots by id. */
export interface Ids {
  /** The slot of an id; undefined when there is none, or the text is no UUID in lower case. */
  find(id: string): number | undefined
  /** Gives a slot its id. Throws when that is no UUID in lower case. */
  set(slot: number, id: string): void
  remove(slot: number): void
  of(slot: number): string
  /** The order of the ids as text. */
  compare(a: number, b: number): number
  /** One of the four words of an id, most significant first. */
  word(slot: number, word: number): number
  save(count: number): Uint8Array[]
  /** Takes back what `save` gave, for the slots that are alive. */
  restore(bytes: Uint8Array, alive: Iterable<number>): void
}

export function createIds(): Ids {
  const words = createIntegers()
  const word = (slot: number, at: number) => words.get(slot * 4 + at)
  const table = createSlotTable((slot) =>
    mixWords(word(slot, 0), word(slot, 1), word(slot, 2), word(slot, 3)),
  )
  /** The words of the last id that was read. */
  const read = new Uint32Array(4)
  const isRead = (slot: number) =>
    word(slot, 0) === read[0] &&
    word(slot, 1) === read[1] &&
    word(slot, 2) === read[2] &&
    word(slot, 3) === read[3]

  return {
    find(id) {
      if (!readUuid(id, read)) return undefined
      const [a = 0, b = 0, c = 0, d = 0] = read
      return table.find(mixWords(a, b, c, d), isRead)
    },
    set(slot, id) {
      if (!readUuid(id, read)) throw new Error(`${id} is no UUID in lower case`)
      read.forEach((value, at) => {
        words.set(slot * 4 + at, value)
      })
      table.add(slot)
    },
    remove: (slot) => table.remove(slot),
    of: (slot) => writeUuid(word(slot, 0), word(slot, 1), word(slot, 2), word(slot, 3)),
    compare: (a, b) =>
      word(a, 0) - word(b, 0) ||
      word(a, 1) - word(b, 1) ||
      word(a, 2) - word(b, 2) ||
      word(a, 3) - word(b, 3),
    word,
    save: (count) => words.save(count * 4),
    restore(bytes, alive) {
      words.restore(bytes)
      for (const slot of alive) table.add(slot)
    },
  }
}

const uuidLength = 36
const hyphen = 45

/** Reads a UUID of lower-case digits into four words; false when it is none. */
function readUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== uuidLength) return false
  let digits = 0
  let word = 0
  for (let i = 0; i < uuidLength; i++) {
    const code = text.charCodeAt(i)
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== hyphen) return false
      continue
    }
    const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1
    if (digit < 0) return false
    word = (word << 4) | digit
    if (++digits % 8 === 0) words[digits / 8 - 1] = word
  }
  return true
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const half = (value: number) => `${pairs[(value >>> 8) & 255]}${pairs[value & 255]}`

const writeUuid = (a: number, b: number, c: number, d: number): string =>
  `${half(a >>> 16)}${half(a)}-${half(b >>> 16)}-${half(b)}-${half(c >>> 16)}-${half(c)}${half(d >>> 16)}${half(d)}`
