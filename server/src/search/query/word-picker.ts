import { mostTokens } from '../document/document-codec.ts'
import { GAP, POSITIONED, SECTION, SECTION_END } from '../document/forward-index.ts'
import { type CodecCursor, readFrequencies } from '../document/frequency-codec.ts'
import { grown } from '../document/growth.ts'
import { createUnitSet, END_UNIT, FIRST_RARE, rareWord, unitOf } from '../document/word-units.ts'
import type { KnownWords } from '../lexicon/known-words.ts'
import type { DocumentView } from '../segment/collection.ts'

/** Picks the words of a task out of packed documents. Its fields hold until the next `pick`. */
export interface WordPicker {
  /** By word: the number it was marked with, or 0. */
  marks: Uint16Array
  /** The marked words, gaps, section ends and repeats of the last document, in order. */
  hits: Uint32Array
  /** Where each hit that has a position stands; rare words take two places, of which this is the last. */
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
  /** Reads a document, or all of it but its readme. */
  pick(document: DocumentView): void
  pickHead(document: DocumentView): void
}

/** The numbers of words that picking depends on. */
export type WordNumbers = Pick<KnownWords, 'count' | 'lastStop'>

export function createWordPicker(words: WordNumbers): WordPicker {
  /** The units of marked words, of gaps and of section ends. */
  const wanted = createUnitSet()
  wanted[GAP] = wanted[END_UNIT] = 1
  const marked: number[] = []
  const cursor: CodecCursor = { at: 0, count: 0 }
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
    pickHead,
  }
  return picker

  function mark(word: number, number: number): void {
    picker.marks = grown(picker.marks, words.count + 1, Uint16Array)
    picker.marks[word] = number
    wanted[unitOf(word)] = 1
    marked.push(word)
  }

  function clear(): void {
    for (const word of marked) {
      picker.marks[word] = 0
      wanted[unitOf(word)] = 0
    }
    marked.length = 0
  }

  function pick(document: DocumentView): void {
    begin(document)
    const { bytes } = document
    const { marks, hits } = picker
    cursor.at = 2 * pickPositioned(document, POSITIONED)
    cursor.count = picker.hitCount
    readFrequencies(bytes, cursor, hits, wanted, marks)
    hits[cursor.count++] = SECTION_END
    readFrequencies(bytes, cursor, hits, wanted, marks)
    hits[cursor.count++] = SECTION_END
    picker.hitCount = cursor.count
  }

  function pickHead(document: DocumentView): void {
    begin(document)
    pickPositioned(document, SECTION.heading)
  }

  function begin({ units, start, end }: DocumentView): void {
    picker.marks = grown(picker.marks, words.count + 1, Uint16Array)
    const most = mostTokens(end - start)
    if (most > picker.hits.length) {
      picker.hits = new Uint32Array(2 * most)
      picker.hitAt = new Uint32Array(2 * most)
    }
    readName(units, start)
  }

  /** Name precision, and whether a slug follows. */
  function readName(units: Uint16Array, start: number): void {
    const { lastStop } = words
    let length = 0
    let said = 0
    let at = start
    for (; units[at] !== END_UNIT; at++) {
      const unit = units[at] as number
      if (unit <= lastStop) continue
      length++
      if (unit < FIRST_RARE) {
        if (wanted[unit] === 1) said++
      } else if (picker.marks[rareWord(unit, units[++at] as number)] !== 0) said++
    }
    picker.namePrecision = length === 0 ? 0 : said / length
    picker.slugRepeats = units[at + 1] === END_UNIT
  }

  /** Picks out of the first sections; gives the place after them. */
  function pickPositioned({ units, start }: DocumentView, sections: number): number {
    const { marks, hits, hitAt } = picker
    let count = 0
    let left = sections
    for (let i = start; ; i++) {
      const unit = units[i] as number
      if (wanted[unit] === 0) continue
      let word = unit
      if (unit === END_UNIT) {
        hits[count++] = SECTION_END
        if (--left > 0) continue
        picker.hitCount = count
        return i + 1
      }
      if (unit >= FIRST_RARE) {
        word = rareWord(units[i - 1] as number, unit)
        if (marks[word] === 0) continue
      }
      hitAt[count] = i
      hits[count++] = word
    }
  }
}
