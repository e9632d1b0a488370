import { PAIR_TABLE_BITS } from '../constants/constants.ts'
import { GAP, REPEATED, SECTION_END } from '../document/forward-index.ts'
import { grown } from '../document/growth.ts'
import { type BigramFrequencies, pairSlot } from './bigram-frequencies.ts'
import type { LengthNorms } from './length-norms.ts'
import { groupIn, type Stems, stemIn } from './stems.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Sections whose neighbours make pairs, by SECTION. */
const PAIRED = [1, 1, 0, 1, 0, 1, 1, 0, 0]

/** Document frequencies of words, stems and bigrams, and the lengths of fields. */
export interface CorpusStatistics {
  /** Memory held. */
  readonly bytes: number
  /** Counts a document of so many tokens and these length codes in (`sign` 1) or out (-1). */
  count(tokens: Uint32Array, length: number, codes: Uint8Array, sign: 1 | -1): void
}

export function createCorpusStatistics(
  vocabulary: Vocabulary,
  pairs: BigramFrequencies,
  lengths: LengthNorms,
): CorpusStatistics {
  // one bit for each word, group or slot seen in the document at hand; all but that of 0 are clear in between
  let seenWords = new Uint32Array(64)
  let seenGroups = new Uint32Array(64)
  const seenSlots = new Uint32Array((1 << PAIR_TABLE_BITS) / 32)
  /** Pair slots, then words, then groups of the document at hand. */
  let found = new Uint32Array(4096)
  return {
    get bytes() {
      return [seenWords, seenGroups, seenSlots, found].reduce(
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
    const slotCount = distinctPairs(tokens, length, stems, lastFiller, seenSlots, found)
    pairs.addAll(found, slotCount, sign)
    const wordCount = distinctWords(tokens, length, seenWords, found)
    addToAll(wordDf, found, wordCount, sign)
    const groupCount = distinctGroups(found, wordCount, stems.groups, seenGroups)
    addToAll(stems.groupDf, found, groupCount, sign)
    lengths.count(codes, sign)
  }
}

/** Adds to the counts of the first of these numbers. */
function addToAll(counts: Uint32Array, numbers: Uint32Array, length: number, by: 1 | -1): void {
  for (let i = 0; i < length; i++) {
    const number = numbers[i] as number
    counts[number] = (counts[number] as number) + by
  }
}

// The functions below give how many numbers they wrote, and leave in `seen` none of these.

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
    words[count] = word
    count += note(word, seen)
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
  // 0 is no group
  note(0, seen)
  for (let i = 0; i < length; i++) {
    const group = groupIn(stems, stemIn(stems, words[i] as number))
    words[count] = group
    count += note(group, seen)
  }
  forget(seen, words, count)
  return count
}

function distinctPairs(
  tokens: Uint32Array,
  length: number,
  { groups, hashes }: Pick<Stems, 'groups' | 'hashes'>,
  lastFiller: number,
  seen: Uint32Array,
  slots: Uint32Array,
): number {
  let count = 0
  let section = 0
  let paired = PAIRED[0] === 1
  let previous = 0
  let hashBefore = 0
  for (let i = 0; i < length; i++) {
    const word = tokens[i] as number
    if (word === SECTION_END) paired = PAIRED[++section] === 1
    if (word === SECTION_END || word === GAP) previous = 0
    else if (paired && word > lastFiller) {
      const stem = stemIn(groups, word)
      const hash = hashes[word] as number
      if (previous !== 0 && previous !== stem) {
        const slot = pairSlot(hashBefore, hash)
        slots[count] = slot
        count += note(slot, seen)
      }
      previous = stem
      hashBefore = hash
    }
  }
  forget(seen, slots, count)
  return count
}

/**
 * Gives 1 for a number that was not seen before, 0 for others; from now on it is. Without a branch,
 * since which of the two comes next is hard to tell.
 */
function note(number: number, seen: Uint32Array): number {
  const bits = seen[number >>> 5] as number
  seen[number >>> 5] = bits | (1 << (number & 31))
  return ((bits >>> (number & 31)) & 1) ^ 1
}

function forget(seen: Uint32Array, numbers: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) seen[(numbers[i] as number) >>> 5] = 0
}
