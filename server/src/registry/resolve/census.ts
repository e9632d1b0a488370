import { PAIR_TABLE_BITS } from './constants.ts'
import type { Counts } from './counts.ts'
import { GAP, REPEATED, SECTION_END } from './forward.ts'
import { grown } from './growth.ts'
import type { Lengths } from './lengths.ts'
import { type PairCounts, pairSlot } from './pairs.ts'
import { groupIn, stemIn } from './stems.ts'
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
  // a bit for each that the document at hand was seen to have; none is set in between
  let seenWords = new Uint32Array(64)
  let seenGroups = new Uint32Array(64)
  const seenSlots = new Uint32Array((1 << PAIR_TABLE_BITS) / 32)
  /** Words and then groups, and pair slots, of the document at hand. */
  let found = new Uint32Array(4096)
  let slots = new Uint32Array(4096)
  return {
    get bytes() {
      return [seenWords, seenGroups, seenSlots, found, slots].reduce(
        (sum, { byteLength }) => sum + byteLength,
        0,
      )
    },
    count,
  }

  function count(tokens: Uint32Array, length: number, codes: Uint8Array, sign: 1 | -1): void {
    const { stems, wordDf, lastFiller } = vocabulary
    seenWords = grown(seenWords, (vocabulary.count >>> 5) + 1, Uint32Array)
    seenGroups = grown(seenGroups, (stems.groupCount >>> 5) + 1, Uint32Array)
    found = grown(found, length, Uint32Array)
    slots = grown(slots, length, Uint32Array)
    const slotCount = distinctPairs(tokens, length, stems.groups, lastFiller, seenSlots, slots)
    for (let i = 0; i < slotCount; i++) pairs.add(slots[i] as number, sign)
    const wordCount = distinctWords(tokens, length, seenWords, found)
    addToAll(wordDf, found, wordCount, sign)
    const groupCount = distinctGroups(found, wordCount, stems.groups, seenGroups)
    addToAll(stems.groupDf, found, groupCount, sign)
    lengths.count(codes, 0, sign)
  }
}

/** Adds to the counts of the first of these numbers. */
function addToAll(counts: Counts, numbers: Uint32Array, length: number, by: number): void {
  for (let i = 0; i < length; i++) counts.add(numbers[i] as number, by)
}

// The functions below give how many numbers they wrote. `seen` is as it was when they are done.

function distinctWords(
  tokens: Uint32Array,
  length: number,
  seen: Uint32Array,
  words: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < length; i++) {
    const word = tokens[i] as number
    if (word >= REPEATED || word === GAP) continue
    if (isNew(word, seen)) words[count++] = word
  }
  forget(seen, words, count)
  return count
}

/** Replaces words by the groups of their stems. */
function distinctGroups(
  words: Uint32Array,
  length: number,
  stems: Uint32Array,
  seen: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < length; i++) {
    const group = groupIn(stems, stemIn(stems, words[i] as number))
    if (group !== 0 && isNew(group, seen)) words[count++] = group
  }
  forget(seen, words, count)
  return count
}

function distinctPairs(
  tokens: Uint32Array,
  length: number,
  stems: Uint32Array,
  lastFiller: number,
  seen: Uint32Array,
  slots: Uint32Array,
): number {
  let count = 0
  let section = 0
  let paired = PAIRED[0] === 1
  let previous = 0
  for (let i = 0; i < length; i++) {
    const word = tokens[i] as number
    if (word === SECTION_END) paired = PAIRED[++section] === 1
    if (word === SECTION_END || word === GAP) previous = 0
    else if (paired && word > lastFiller) {
      const stem = stemIn(stems, word)
      if (previous !== 0 && previous !== stem) {
        const slot = pairSlot(previous, stem)
        if (isNew(slot, seen)) slots[count++] = slot
      }
      previous = stem
    }
  }
  forget(seen, slots, count)
  return count
}

/** Whether a number was not seen; from now on it is. */
function isNew(number: number, seen: Uint32Array): boolean {
  const bits = seen[number >>> 5] as number
  const bit = 1 << (number & 31)
  if ((bits & bit) !== 0) return false
  seen[number >>> 5] = bits | bit
  return true
}

function forget(seen: Uint32Array, numbers: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) seen[(numbers[i] as number) >>> 5] = 0
}
