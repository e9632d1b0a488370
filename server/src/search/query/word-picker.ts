import { ensureCapacity } from '../document/ensure-capacity.ts'
import {
  type DocumentView,
  END_UNIT,
  FIRST_RARE,
  GAP,
  REPEATED,
  rareWord,
  repeatsOf,
  SECTION_END,
  unitOf,
} from '../document/forward-index.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'

/** Extracts the marked words of packed documents. The next `pick` overwrites its fields. */
export function createWordPicker(words: Vocabulary) {
  /** Units of marked words, of gaps and of section ends: one byte each, faster than a bit. */
  const wanted = new Uint8Array(2 ** 16)
  wanted[GAP] = wanted[END_UNIT] = 1
  const marked: number[] = []
  const picker = {
    marks: new Uint16Array(1024),
    /** Marked words, gaps, section ends and repeats of the last document, in order. */
    hits: new Uint32Array(4096),
    /** Position of each hit in units. Rare words take two units; the last one counts. */
    hitAt: new Uint32Array(4096),
    hitCount: 0,
    /** Share of the name's words that are marked. */
    namePrecision: 0,
    /** Whether the slug equals the name and is therefore not stored. */
    slugRepeats: false,
    mark,
    clear,
    pick,
  }
  return picker

  function mark(word: number, number: number): void {
    picker.marks = ensureCapacity(picker.marks, words.count + 1, Uint16Array)
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

  /** Reads the first sections of a document. */
  function pick({ units, start, end }: DocumentView, sections: number): void {
    const { marks } = picker
    picker.hits = ensureCapacity(picker.hits, end - start, Uint32Array)
    picker.hitAt = ensureCapacity(picker.hitAt, end - start, Uint32Array)
    const { hits, hitAt } = picker
    readName(units, start)
    let count = 0
    let left = sections
    for (let i = start; left > 0; i++) {
      const unit = units[i] as number
      if (wanted[unit] === 0) continue
      if (unit === END_UNIT) {
        hits[count++] = SECTION_END
        left--
        continue
      }
      let word = unit
      if (unit >= FIRST_RARE) {
        word = rareWord(units[i - 1] as number, unit)
        if (marks[word] === 0) continue
      }
      hitAt[count] = i
      hits[count++] = word
      const repeats = repeatsOf(units[i + 1] as number)
      if (repeats > 0) hits[count++] = REPEATED + repeats
    }
    picker.hitCount = count
  }

  /** Computes `namePrecision` and `slugRepeats`. */
  function readName(units: Uint16Array, start: number): void {
    const { lastStop } = words
    let length = 0
    let matched = 0
    let at = start
    for (; units[at] !== END_UNIT; at++) {
      const unit = units[at] as number
      if (unit <= lastStop) continue
      length++
      if (unit < FIRST_RARE) {
        if (wanted[unit] === 1) matched++
      } else if (picker.marks[rareWord(unit, units[++at] as number)] !== 0) matched++
    }
    picker.namePrecision = length === 0 ? 0 : matched / length
    picker.slugRepeats = units[at + 1] === END_UNIT
  }
}
