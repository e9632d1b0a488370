import { grown } from './growth.ts'
import { stemOf } from './stem.ts'
import { FILLER_WORDS, STOP_WORDS } from './stop-words.ts'
import { createScanner, type Scanner } from './tokens.ts'

/**
 * Every distinct word, as numbers. An entry can be a word, a group (a stem that words share), or
 * both; 0 means none. Arrays are indexed by entry and replaced when they grow, so read them afresh.
 */
export interface Vocabulary {
  count: number
  /** Entries up to these are the stop words, then the fillers: both are interned first. */
  readonly lastStop: number
  readonly lastFiller: number
  /** The group of a word; 0 while an entry was only seen as a stem. */
  group: Uint32Array
  /** The first word of a group, and the next word of the same group. */
  firstWord: Uint32Array
  nextWord: Uint32Array
  /** Live documents that hold the word, and any word of the group. */
  wordDf: Uint32Array
  groupDf: Uint32Array
  hash: Uint32Array
  /** The entry of the scanner's current word, made if new. */
  intern(scanner: Scanner): number
  /** The entry of the scanner's current word as a word, or 0. */
  find(scanner: Scanner): number
  /** The group the scanner's current word would belong to, or 0. */
  findGroup(word: string): number
  text(entry: number): string
}

const FOLDED = Uint8Array.from({ length: 256 }, (_, c) => (c > 64 && c < 91 ? c + 32 : c))

export function createVocabulary(): Vocabulary {
  let slots = new Uint32Array(1024)
  let pool = new Uint8Array(8192)
  let poolEnd = 0
  let textAt = new Uint32Array(512)
  let textLength = new Uint8Array(512)
  const own = createScanner()
  const decoder = new TextDecoder()
  const vocabulary: Vocabulary = {
    count: 0,
    lastStop: 0,
    lastFiller: 0,
    group: new Uint32Array(512),
    firstWord: new Uint32Array(512),
    nextWord: new Uint32Array(512),
    wordDf: new Uint32Array(512),
    groupDf: new Uint32Array(512),
    hash: new Uint32Array(512),
    intern,
    find,
    findGroup,
    text,
  }
  for (const word of STOP_WORDS) internText(word)
  const lastStop = vocabulary.count
  for (const word of FILLER_WORDS) internText(word)
  const lastFiller = vocabulary.count
  // only now become words: their stems must not stand among the stop words and fillers
  for (let entry = 1; entry <= lastFiller; entry++) joinGroup(entry)
  return Object.assign(vocabulary, { lastStop, lastFiller })

  function slotOf(scanner: Scanner): number {
    const mask = slots.length - 1
    const { text: bytes, at: from, length } = scanner
    const hash = scanner.hash >>> 0
    let slot = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const entry = slots[slot] as number
      if (entry === 0) return slot
      if (vocabulary.hash[entry] === hash && textLength[entry] === length) {
        let at = textAt[entry] as number
        let i = 0
        while (i < length && pool[at] === FOLDED[bytes[from + i] as number]) {
          at++
          i++
        }
        if (i === length) return slot
      }
      slot = (slot + 1) & mask
    }
  }

  function entryOf(scanner: Scanner): number {
    const slot = slotOf(scanner)
    return (slots[slot] as number) || add(scanner, slot)
  }

  function add(scanner: Scanner, slot: number): number {
    const entry = ++vocabulary.count
    reserve(entry + 1)
    pool = grown(pool, poolEnd + scanner.length, Uint8Array)
    for (let i = 0; i < scanner.length; i++)
      pool[poolEnd + i] = FOLDED[scanner.text[scanner.at + i] as number] as number
    textAt[entry] = poolEnd
    textLength[entry] = scanner.length
    poolEnd += scanner.length
    vocabulary.hash[entry] = scanner.hash >>> 0
    slots[slot] = entry
    if (vocabulary.count * 4 > slots.length * 3) rehash()
    return entry
  }

  function reserve(length: number): void {
    if (length <= textAt.length) return
    textAt = grown(textAt, length, Uint32Array)
    textLength = grown(textLength, length, Uint8Array)
    vocabulary.group = grown(vocabulary.group, length, Uint32Array)
    vocabulary.firstWord = grown(vocabulary.firstWord, length, Uint32Array)
    vocabulary.nextWord = grown(vocabulary.nextWord, length, Uint32Array)
    vocabulary.wordDf = grown(vocabulary.wordDf, length, Uint32Array)
    vocabulary.groupDf = grown(vocabulary.groupDf, length, Uint32Array)
    vocabulary.hash = grown(vocabulary.hash, length, Uint32Array)
  }

  function rehash(): void {
    slots = new Uint32Array(slots.length * 2)
    const mask = slots.length - 1
    for (let entry = 1; entry <= vocabulary.count; entry++) {
      const hash = vocabulary.hash[entry] as number
      let slot = (hash ^ (hash >>> 15)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = entry
    }
  }

  function intern(scanner: Scanner): number {
    const entry = entryOf(scanner)
    if (vocabulary.group[entry] === 0) joinGroup(entry)
    return entry
  }

  function internText(word: string): number {
    own.load(word)
    return entryOf(own)
  }

  function joinGroup(word: number): void {
    const group = internText(stemOf(text(word)))
    vocabulary.group[word] = group
    vocabulary.nextWord[word] = vocabulary.firstWord[group] as number
    vocabulary.firstWord[group] = word
  }

  function find(scanner: Scanner): number {
    const entry = slots[slotOf(scanner)] as number
    return vocabulary.group[entry] === 0 ? 0 : entry
  }

  function findGroup(word: string): number {
    own.load(stemOf(word))
    return slots[slotOf(own)] as number
  }

  function text(entry: number): string {
    const at = textAt[entry] as number
    return decoder.decode(pool.subarray(at, at + (textLength[entry] as number)))
  }
}
