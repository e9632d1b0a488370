import { ensureCapacity } from '../document/ensure-capacity.ts'
import { GAP, REPEATED, SECTION_END } from '../document/forward-index.ts'
import { type BigramFrequencies, pairSlot } from './bigram-frequencies.ts'
import type { LengthNorms } from './length-norms.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Sections whose adjacent words form pairs, by SECTION. */
const PAIRED = [1, 1, 0, 1, 0, 1, 1, 0, 0]

/** Document frequencies of words, stems and pairs, and field lengths. */
export function createCorpusStatistics(
  vocabulary: Vocabulary,
  pairs: BigramFrequencies,
  lengths: LengthNorms,
) {
  /** Number of the document that last contained the word or stem. */
  let wordSeen = new Uint32Array(1024)
  let stemSeen = new Uint32Array(1024)
  /** Counters of the current document's pairs. */
  const slots = new Set<number>()
  let document = 0
  return {
    get bytes() {
      return wordSeen.byteLength + stemSeen.byteLength
    },
    count,
  }

  /** Adds (`sign` 1) or removes (-1) a document with its tokens and length codes. */
  function count(tokens: Uint32Array, length: number, codes: Uint8Array, sign: 1 | -1): void {
    const { stems, wordDf, stemDf } = vocabulary
    wordSeen = ensureCapacity(wordSeen, vocabulary.count + 1, Uint32Array)
    stemSeen = ensureCapacity(stemSeen, vocabulary.count + 1, Uint32Array)
    document++
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word >= REPEATED || word === GAP || wordSeen[word] === document) continue
      wordSeen[word] = document
      wordDf[word] = (wordDf[word] as number) + sign
      const stem = stems[word] as number
      if (stemSeen[stem] === document) continue
      stemSeen[stem] = document
      stemDf[stem] = (stemDf[stem] as number) + sign
    }
    countPairs(tokens, length, sign)
    lengths.count(codes, sign)
  }

  function countPairs(tokens: Uint32Array, length: number, sign: 1 | -1): void {
    const { stems, hashes, lastFiller } = vocabulary
    slots.clear()
    let section = 0
    let previous = 0
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word === SECTION_END) section++
      if (word === SECTION_END || word === GAP) previous = 0
      else if (PAIRED[section] === 1 && word > lastFiller) {
        const stem = stems[word] as number
        if (previous !== 0 && previous !== stem) {
          slots.add(pairSlot(hashes[previous] as number, hashes[stem] as number))
        }
        previous = stem
      }
    }
    for (const slot of slots) pairs.add(slot, sign)
  }
}
