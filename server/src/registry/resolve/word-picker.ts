import type { DocumentView } from './collection.ts'
import {
  END_BYTE,
  endOfSection,
  GAP,
  longWord,
  REPEATED,
  SECTION_END,
  THREE_BYTES,
  TWO_BYTES,
  unpackTokens,
  WIDTH,
  type WordRanks,
} from './forward.ts'
import { grown } from './growth.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Picks the words of a task out of packed documents. Its fields hold until the next `pick`. */
export interface WordPicker {
  /** By word: the number it was marked with, or 0. */
  marks: Uint16Array
  /** The marked words, gaps, section ends and repeats of the last document, and the token that each is. */
  hits: Uint32Array
  hitAt: Uint32Array
  hitCount: number
  /** Share of the name's words that are marked. */
  namePrecision: number
  /** The slug is the same words as the name, and so is not written again. */
  slugRepeats: boolean
  /** Marks a word with a number from 1. */
  mark(word: number, number: number): void
  /** Takes all marks away. */
  clear(): void
  /** Reads the first sections of a document. */
  pick(document: DocumentView, sections: number): void
}

export function createWordPicker(vocabulary: Vocabulary): WordPicker {
  /** The marked words that take one byte, and a bit for each that takes two (forward.ts). */
  const oneByte = new Uint8Array(TWO_BYTES)
  const twoBytes = new Uint32Array(((THREE_BYTES - TWO_BYTES) << 8) >>> 5)
  const marked: number[] = []
  const picker: WordPicker = {
    marks: new Uint16Array(1024),
    hits: new Uint32Array(4096),
    hitAt: new Uint32Array(4096),
    hitCount: 0,
    namePrecision: 0,
    slugRepeats: false,
    mark,
    clear,
    pick,
  }
  return picker

  function mark(word: number, number: number): void {
    picker.marks = grown(picker.marks, vocabulary.count + 1, Uint16Array)
    picker.marks[word] = number
    notePacked(word, 1)
    marked.push(word)
  }

  function clear(): void {
    for (const word of marked) {
      picker.marks[word] = 0
      notePacked(word, 0)
    }
    marked.length = 0
  }

  /** Marks a word, or takes the mark away, by the bytes it takes. */
  function notePacked(word: number, bit: 0 | 1): void {
    const { lastFiller, lastCommon } = vocabulary
    if (word > lastFiller && word <= lastCommon) {
      oneByte[word - lastFiller - 1] = bit
      return
    }
    const rank = word <= lastFiller ? word : word - lastCommon + lastFiller
    const place = rank >>> 5
    if (place >= twoBytes.length) return
    const mask = 1 << (rank & 31)
    const before = twoBytes[place] as number
    twoBytes[place] = bit === 1 ? before | mask : before & ~mask
  }

  function pick({ units, start, end }: DocumentView, sections: number): void {
    picker.marks = grown(picker.marks, vocabulary.count + 1, Uint16Array)
    if (end - start > picker.hits.length) {
      picker.hits = new Uint32Array(2 * (end - start))
      picker.hitAt = new Uint32Array(2 * (end - start))
    }
    const { marks, hits, hitAt } = picker
    readName(units, start)
    picker.hitCount = pickOut(
      units,
      start,
      sections,
      vocabulary,
      oneByte,
      twoBytes,
      marks,
      hits,
      hitAt,
    )
  }

  /** Name precision, and whether a slug follows. */
  function readName(units: Uint8Array, start: number): void {
    const { hits, marks } = picker
    const end = endOfSection(units, start)
    const length = unpackTokens(units, start, end, vocabulary, hits)
    let words = 0
    let said = 0
    for (let i = 0; i < length; i++) {
      const word = hits[i] as number
      if (word <= vocabulary.lastStop) continue
      words++
      if (marks[word] !== 0) said++
    }
    picker.namePrecision = words === 0 ? 0 : said / words
    picker.slugRepeats = units[end + 1] === END_BYTE
  }
}

/**
 * Picks the marked words out of the first sections of a packed document, with the number of the token
 * that each is; gives how many. The inner loop only looks, so that V8 keeps all of it in registers: it
 * passes over a thousand words a document.
 */
function pickOut(
  units: Uint8Array,
  start: number,
  sections: number,
  ranks: WordRanks,
  oneByte: Uint8Array,
  twoBytes: Uint32Array,
  marks: Uint16Array,
  hits: Uint32Array,
  hitAt: Uint32Array,
): number {
  const { lastFiller, lastCommon } = ranks
  let count = 0
  let left = sections
  let token = 0
  let lastHit = -1
  for (let i = start; ; token++) {
    let first = units[i] as number
    let rank = 0
    while (first < THREE_BYTES) {
      if (first < TWO_BYTES) {
        if (oneByte[first] !== 0) break
        i++
      } else {
        rank = ((first - TWO_BYTES) << 8) | (units[i + 1] as number)
        if ((((twoBytes[rank >>> 5] as number) >>> (rank & 31)) & 1) !== 0) break
        i += 2
      }
      token++
      first = units[i] as number
    }
    let word = 0
    if (first < TWO_BYTES) {
      word = lastFiller + 1 + first
      i++
    } else if (first < THREE_BYTES) {
      word = rank <= lastFiller ? rank : rank + lastCommon - lastFiller
      i += 2
    } else {
      const at = i
      i += WIDTH[first - THREE_BYTES] as number
      if (first === END_BYTE) {
        hits[count++] = SECTION_END
        if (--left === 0) return count
        continue
      }
      if (first === END_BYTE - 1) {
        hits[count++] = GAP
        continue
      }
      if (first === END_BYTE - 2) {
        if (lastHit === token - 1) hits[count++] = REPEATED + (units[at + 1] as number)
        continue
      }
      word = longWord(units, at, ranks)
      if (marks[word] === 0) continue
    }
    lastHit = token
    hitAt[count] = token
    hits[count++] = word
  }
}
