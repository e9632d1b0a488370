import { ensureCapacity } from '../document/ensure-capacity.ts'
import { type DocumentView, readTokens, SECTION, SECTION_END } from '../document/forward-index.ts'
import type { Documents, SegmentState } from '../segment/collection.ts'
import {
  findList,
  IN_DESCRIPTION,
  IN_NAME,
  type PostingList,
  SEGMENT_DOCUMENTS,
} from '../segment/segment.ts'
import type { Query } from './parse.ts'

/** Weight of name and slug, relative to the description (spec/decisions.md#search-order). */
const NAME_WEIGHT = 3

/** Weight of another form of the word ("forms" for "form"). */
const STEM_SHARE = 0.8

/** All matches of a search, unordered. The columns are reused by the next search. */
export interface SearchMatches {
  readonly slots: Uint32Array
  /** Positive integers, comparable within one search. */
  readonly scores: Int32Array
}

const FIELDS_WEIGHT = [0, NAME_WEIGHT, 1, NAME_WEIGHT + 1]

/** Approximate maximum sum, with room below 2^31 for doubling and rounding. */
const HIGHEST_SUM = 2 ** 29

/** A form of a term: its word number, and its value before the field weight. */
interface WordForm {
  readonly word: number
  readonly value: number
}

/**
 * Matches any query term in name, slug or description. A match scores IDF times field weight, less
 * for other forms. Only the best form of a term counts.
 */
export function createSearcher(collection: Documents) {
  const sums = new Int32Array(SEGMENT_DOCUMENTS)
  /** Number + 1 of the last term that counted for a document. */
  const counted = new Uint16Array(SEGMENT_DOCUMENTS)
  /** Score of that term. */
  const values = new Int32Array(SEGMENT_DOCUMENTS)
  const touched = new Uint16Array(SEGMENT_DOCUMENTS)
  const list: PostingList = { start: 0, end: 0 }
  /** Head words of buffered documents and their fields. */
  const fieldsOfHead = new WeakMap<DocumentView, ReadonlyMap<number, number>>()
  let tokens = new Uint32Array(4096)
  let slots = new Uint32Array(1024)
  let scores = new Int32Array(1024)
  let count = 0
  let highest = 0
  /** Indexes of matches whose whole name is the query. */
  const exactNames: number[] = []

  return { search, countHeads, headsWith }

  /** Returns the matches. Those whose whole name has this hash come first. */
  function search(query: Query, nameHash: number): SearchMatches {
    count = highest = 0
    exactNames.length = 0
    const bound = query.terms.reduce((sum, { stemIdf }) => sum + stemIdf, 0)
    // Integer scores, so that equal matches have equal sums in every segment.
    const unit = (bound * (NAME_WEIGHT + 1)) / HIGHEST_SUM
    const terms = query.terms.map((term) => formsOf(term, unit))
    for (const part of collection.parts) searchPart(part, terms, nameHash)
    if (collection.buffered.length > 0) searchBuffer(terms, nameHash)
    // An exact name match ranks first.
    for (const at of exactNames) scores[at] = (scores[at] as number) + highest
    return { slots: slots.subarray(0, count), scores: scores.subarray(0, count) }
  }

  /** Counts the skills with a word in name, slug or description. May include dead documents. */
  function countHeads(word: number): number {
    if (word === 0) return 0
    let total = 0
    for (const { segment } of collection.parts) {
      const { heads } = segment
      if (findList(heads, word, list)) total += list.end - list.start
    }
    for (const document of collection.buffered) if (headFields(document).has(word)) total++
    return total
  }

  /** Returns the slots of the skills with one of the words in name, slug or description. */
  function headsWith(words: readonly number[]): ReadonlySet<number> {
    const found = new Set<number>()
    for (const { segment } of collection.parts) {
      const { heads, slots } = segment
      for (const word of words) {
        if (!findList(heads, word, list)) continue
        for (let i = list.start; i < list.end; i++)
          found.add(slots[heads.documents[i] as number] as number)
      }
    }
    for (const document of collection.buffered) {
      if (words.some((word) => headFields(document).has(word))) found.add(document.slot)
    }
    return found
  }

  function formsOf(
    { words, stemWords, stemIdf, stemShare }: Query['terms'][number],
    unit: number,
  ): WordForm[] {
    return stemWords.map((word) => {
      const exact = stemShare === 1 || words.some((form) => form.word === word)
      const weight = stemIdf * (exact ? 1 : STEM_SHARE)
      return { word, value: Math.max(1, Math.round(weight / unit)) }
    })
  }

  function searchPart(part: SegmentState, terms: readonly WordForm[][], nameHash: number): void {
    let found = 0
    terms.forEach((forms, term) => {
      for (const form of forms) found = addForm(part, form, term + 1, found)
    })
    makeRoom(found)
    const { segment, dead, live } = part
    const { slots: slotOf, nameHashes } = segment
    const isWhole = live === segment.documents
    for (let i = 0; i < found; i++) {
      const document = touched[i] as number
      const sum = sums[document] as number
      sums[document] = 0
      counted[document] = 0
      if (!isWhole && dead[document] === 1) continue
      if (nameHashes[document] === nameHash) exactNames.push(count)
      if (sum > highest) highest = sum
      slots[count] = slotOf[document] as number
      scores[count++] = sum
    }
  }

  /**
   * Adds a form's score to its documents unless a better form of the term counted. Returns the
   * number of matched documents.
   */
  function addForm(part: SegmentState, { word, value }: WordForm, term: number, before: number) {
    const { heads } = part.segment
    if (!findList(heads, word, list)) return before
    let found = before
    const { documents, levels } = heads
    for (let i = list.start; i < list.end; i++) {
      const document = documents[i] as number
      const gain = value * (FIELDS_WEIGHT[levels[i] as number] as number)
      const last = counted[document] as number
      const previous = last === term ? (values[document] as number) : 0
      if (gain <= previous) continue
      if (last === 0) touched[found++] = document
      counted[document] = term
      values[document] = gain
      sums[document] = (sums[document] as number) + gain - previous
    }
    return found
  }

  function makeRoom(matches: number): void {
    slots = ensureCapacity(slots, count + matches, Uint32Array)
    scores = ensureCapacity(scores, count + matches, Int32Array)
  }

  function searchBuffer(terms: readonly WordForm[][], nameHash: number): void {
    makeRoom(collection.buffered.length)
    for (const document of collection.buffered) {
      const fields = headFields(document)
      let sum = 0
      for (const forms of terms) {
        let best = 0
        for (const { word, value } of forms) {
          best = Math.max(best, value * (FIELDS_WEIGHT[fields.get(word) ?? 0] as number))
        }
        sum += best
      }
      if (sum === 0) continue
      if (document.nameHash === nameHash) exactNames.push(count)
      if (sum > highest) highest = sum
      slots[count] = document.slot
      scores[count++] = sum
    }
  }

  /** Returns the head words of a buffered document with their fields. */
  function headFields(document: DocumentView): ReadonlyMap<number, number> {
    const known = fieldsOfHead.get(document)
    if (known) return known
    tokens = ensureCapacity(tokens, document.end, Uint32Array)
    const length = readTokens(document, tokens, SECTION.heading)
    const fields = new Map<number, number>()
    let section = 0
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word === SECTION_END) section++
      else if (section !== SECTION.tags) {
        const inField = section <= SECTION.slug ? IN_NAME : IN_DESCRIPTION
        fields.set(word, (fields.get(word) ?? 0) | inField)
      }
    }
    fieldsOfHead.set(document, fields)
    return fields
  }
}
