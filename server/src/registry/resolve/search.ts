import { SEARCH_NAME_WEIGHT, SEARCH_STEM_SHARE } from './constants.ts'
import type { Documents } from './documents.ts'
import { grown } from './growth.ts'
import { ALIVE, STRIDE } from './lengths.ts'
import { META, PAYLOAD_BITS } from './payload.ts'
import type { Postings } from './postings.ts'
import type { Query } from './query.ts'
import type { Vocabulary } from './vocabulary.ts'

/**
 * Every match of a search, in no order: two columns, since there may be as many as skills. The first
 * `count` entries of each are the answer, until the next call.
 */
export interface SearchMatches {
  readonly slots: Uint32Array
  readonly scores: Float32Array
  readonly count: number
}

const NAME_BITS = (1 << 10) | (1 << 9)
const DESCRIPTION_BITS = (3 << 6) | (1 << 5)

/**
 * Matches any word of the query in name, slug or description: IDF of the word, times the field's
 * weight, times a share when another form of the word matched.
 */
export function createSearcher(
  vocabulary: Vocabulary,
  postings: Postings,
  documents: Documents,
): (query: Query, nameHash: number) => SearchMatches {
  let sums = new Float64Array(64)
  /** Best value of the current term per document. */
  let best = new Float64Array(64)
  let touched = new Uint32Array(64)
  let termTouched = new Uint32Array(64)

  return (query, nameHash) => {
    sums = grown(sums, documents.next, Float64Array)
    best = grown(best, documents.next, Float64Array)
    touched = grown(touched, documents.next, Uint32Array)
    termTouched = grown(termTouched, documents.next, Uint32Array)
    let count = 0
    for (const term of query.terms) {
      if (term.group === 0) continue
      let termCount = 0
      for (let word = vocabulary.firstWord[term.group] as number; word !== 0; ) {
        const exact = term.words.some((form) => form.word === word)
        termCount = addWord(word, term.stemIdf * (exact ? 1 : SEARCH_STEM_SHARE), termCount)
        word = vocabulary.nextWord[word] as number
      }
      for (let i = 0; i < termCount; i++) {
        const document = termTouched[i] as number
        const sum = sums[document] as number
        if (sum === 0) touched[count++] = document
        sums[document] = sum + (best[document] as number)
        best[document] = 0
      }
    }
    return collect(count, nameHash)
  }

  function addWord(word: number, weight: number, before: number): number {
    let count = before
    postings.open(word)
    const { array, start, end } = postings
    for (let i = start; i < end; i++) {
      const posting = array[i] as number
      if ((posting & META) === 0 || (posting & (NAME_BITS | DESCRIPTION_BITS)) === 0) continue
      const document = posting >>> PAYLOAD_BITS
      if (documents.lengths[document * STRIDE + ALIVE] === 0) continue
      const inName = (posting & NAME_BITS) !== 0 ? SEARCH_NAME_WEIGHT : 0
      const inDescription = (posting & DESCRIPTION_BITS) !== 0 ? 1 : 0
      const value = weight * (inName + inDescription)
      const known = best[document] as number
      if (known === 0) termTouched[count++] = document
      if (value > known) best[document] = value
    }
    return count
  }

  function collect(count: number, nameHash: number): SearchMatches {
    let highest = 0
    for (let i = 0; i < count; i++) {
      highest = Math.max(highest, sums[touched[i] as number] as number)
    }
    const slots = new Uint32Array(count)
    const scores = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number
      // whoever types the whole name means that skill
      const whole = documents.nameHash[document] === nameHash ? highest : 0
      slots[i] = documents.slots[document] as number
      scores[i] = (sums[document] as number) + whole
      sums[document] = 0
    }
    return { slots, scores, count }
  }
}
