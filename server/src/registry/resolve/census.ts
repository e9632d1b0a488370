import { PAIR_TABLE_BITS } from './constants.ts'
import { GAP, REPEATED, SECTION_END } from './forward.ts'
import { grown } from './growth.ts'
import type { Lengths } from './lengths.ts'
import type { PairCounts } from './pairs.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Sections whose neighbours make pairs, by SECTION. */
const PAIRED = [1, 1, 0, 1, 0, 1, 1, 0, 0]

/** Keeps count of what the documents hold: words, stems, pairs and lengths. */
export interface Census {
  /** Memory held. */
  readonly bytes: number
  /** Counts a document of so many tokens and these length codes in (`sign` 1) or out (-1). */
  count(tokens: Uint32Array, length: number, codes: Uint8Array, sign: 1 | -1): void
}

export function createCensus(vocabulary: Vocabulary, pairs: PairCounts, lengths: Lengths): Census {
  /** The last change that counted a word or a stem, so that a document counts each once. */
  let wordSeen = new Uint32Array(1024)
  let stemSeen = new Uint32Array(1024)
  let change = 0
  const distinctPairs = createSlotSet()
  return {
    get bytes() {
      return wordSeen.byteLength + stemSeen.byteLength
    },
    count,
  }

  function count(tokens: Uint32Array, length: number, codes: Uint8Array, sign: 1 | -1): void {
    change++
    wordSeen = grown(wordSeen, vocabulary.count + 1, Uint32Array)
    stemSeen = grown(stemSeen, vocabulary.count + 1, Uint32Array)
    distinctPairs.clear()
    const { group, wordDf, groupDf, lastFiller } = vocabulary
    let section = 0
    let paired = PAIRED[0] === 1
    let previous = 0
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word === SECTION_END) {
        paired = PAIRED[++section] === 1
        previous = 0
        continue
      }
      if (word >= REPEATED) continue
      if (word === GAP) {
        previous = 0
        continue
      }
      const stem = group[word] as number
      if (wordSeen[word] !== change) {
        wordSeen[word] = change
        wordDf[word] = (wordDf[word] as number) + sign
        if (stemSeen[stem] !== change) {
          stemSeen[stem] = change
          groupDf[stem] = (groupDf[stem] as number) + sign
        }
      }
      if (!paired || word <= lastFiller) continue
      if (previous !== 0 && previous !== stem) {
        const slot = pairs.slot(previous, stem)
        if (distinctPairs.add(slot)) pairs.add(slot, sign)
      }
      previous = stem
    }
    lengths.count(codes, 0, sign)
  }
}

/** Bits of a slot set's entries that tell whose they are; the others are the slot. */
const STAMPS = 1 << (32 - PAIR_TABLE_BITS)

/** The distinct pair slots of one document after the other; a stamp spares emptying the table. */
function createSlotSet() {
  let table = new Uint32Array(8192)
  let stamp = 0
  let size = 0
  return { add, clear }

  function clear(): void {
    size = 0
    stamp++
    if (stamp < STAMPS) return
    stamp = 1
    table.fill(0)
  }

  /** Whether the slot is new. */
  function add(slot: number): boolean {
    const entry = ((stamp << PAIR_TABLE_BITS) | slot) >>> 0
    if (!insert(entry)) return false
    if (++size * 2 > table.length) grow()
    return true
  }

  function insert(entry: number): boolean {
    const mask = table.length - 1
    let at = (Math.imul(entry, 0x9e3779b1) >>> 15) & mask
    for (;;) {
      const held = table[at] as number
      if (held === entry) return false
      if (held >>> PAIR_TABLE_BITS !== stamp) {
        table[at] = entry
        return true
      }
      at = (at + 1) & mask
    }
  }

  function grow(): void {
    const former = table
    table = new Uint32Array(former.length * 2)
    for (const entry of former) if (entry >>> PAIR_TABLE_BITS === stamp) insert(entry)
  }
}
