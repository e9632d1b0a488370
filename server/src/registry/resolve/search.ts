import type { Collection, Part } from './collection.ts'
import { SEARCH_NAME_WEIGHT, SEARCH_STEM_SHARE } from './constants.ts'
import { endOfSection, REPEATED, SECTION, SECTION_END, unpackTokens } from './forward.ts'
import { grown } from './growth.ts'
import { findKey, type Run, readDocuments, readRun } from './posting-lists.ts'
import type { Query } from './query.ts'
import { SEGMENT_DOCUMENTS } from './segment.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Every match of a search, in no order, in columns that hold until the next search. */
export interface SearchMatches {
  readonly slots: Uint32Array
  readonly scores: Float32Array
  readonly count: number
}

/** Classes of the head lists: where a word stands; both are added together. */
export const IN_NAME = 1
export const IN_DESCRIPTION = 2

/** What each class counts, by class. */
const CLASS_WEIGHT = [0, SEARCH_NAME_WEIGHT, 1, SEARCH_NAME_WEIGHT + 1]

/** A form of a term: its word, and what a match counts before the class. */
interface Form {
  word: number
  weight: number
}

export interface Searcher {
  /** Matches of the query; those whose whole name has this hash come first. */
  search(query: Query, nameHash: number): SearchMatches
  /** How many skills have a word in name, slug or description, some dead ones included. */
  countHeads(word: number): number
}

/**
 * Matches any word of the query in name, slug or description: IDF of the word, times the field's
 * weight, times a share when another form of the word matched. Of several forms the best counts.
 */
export function createSearcher(vocabulary: Vocabulary, collection: Collection): Searcher {
  const sums = new Float32Array(SEGMENT_DOCUMENTS)
  /** Number of the term, plus one, that last counted for a document. */
  const counted = new Uint16Array(SEGMENT_DOCUMENTS)
  /** What that term counted. */
  const values = new Float32Array(SEGMENT_DOCUMENTS)
  const touched = new Uint32Array(SEGMENT_DOCUMENTS)
  const documents = new Uint16Array(SEGMENT_DOCUMENTS)
  const run: Run = { level: 0, count: 0, gaps: false, start: 0, end: 0 }
  let tokens = new Uint32Array(4096)
  let slots = new Uint32Array(1024)
  let scores = new Float32Array(1024)
  let count = 0
  let highest = 0
  /** Matches whose name is the query. */
  const named: number[] = []

  return { search, countHeads }

  function search(query: Query, nameHash: number): SearchMatches {
    count = highest = 0
    named.length = 0
    const terms = query.terms.map((term) => formsOf(term))
    for (const part of collection.parts) searchPart(part, terms, nameHash)
    if (collection.live.length > 0) searchLive(terms, nameHash)
    // whoever types the whole name means that skill
    for (const at of named) scores[at] = (scores[at] as number) + highest
    return { slots, scores, count }
  }

  function countHeads(word: number): number {
    let total = 0
    for (const { segment } of collection.parts) {
      const { heads } = segment
      const place = findKey(heads, word)
      if (place < 0) continue
      const end = heads.starts[place + 1] as number
      for (let at = heads.starts[place] as number; at < end; at = run.end) {
        readRun(heads.bytes, at, run)
        total += run.count
      }
    }
    for (const { units } of collection.live) {
      if (headClasses(units).has(word)) total++
    }
    return total
  }

  /** The forms of a term. */
  function formsOf({ group, words, stemIdf }: Query['terms'][number]): Form[] {
    const forms: Form[] = []
    for (let word = group === 0 ? 0 : (vocabulary.firstWord[group] as number); word !== 0; ) {
      const exact = words.some((form) => form.word === word)
      forms.push({ word, weight: stemIdf * (exact ? 1 : SEARCH_STEM_SHARE) })
      word = vocabulary.nextWord[word] as number
    }
    return forms
  }

  function searchPart(part: Part, terms: readonly Form[][], nameHash: number): void {
    let found = 0
    terms.forEach((forms, term) => {
      for (const form of forms) found = addForm(part, form, term + 1, found)
    })
    const { slots: slotOf, nameHashes } = part.segment
    for (let i = 0; i < found; i++) {
      const document = touched[i] as number
      if (part.dead[document] === 0) {
        push(
          slotOf[document] as number,
          sums[document] as number,
          nameHashes[document] === nameHash,
        )
      }
      sums[document] = 0
      counted[document] = 0
    }
  }

  function addForm(part: Part, { word, weight }: Form, term: number, before: number): number {
    const { heads } = part.segment
    const place = findKey(heads, word)
    if (place < 0) return before
    let found = before
    const end = heads.starts[place + 1] as number
    for (let at = heads.starts[place] as number; at < end; at = run.end) {
      readRun(heads.bytes, at, run)
      const value = weight * (CLASS_WEIGHT[run.level] as number)
      const length = readDocuments(heads.bytes, run, documents)
      for (let i = 0; i < length; i++) {
        const document = documents[i] as number
        const last = counted[document] as number
        const known = last === term ? (values[document] as number) : 0
        if (value <= known) continue
        if (last === 0) touched[found++] = document
        counted[document] = term
        values[document] = value
        sums[document] = (sums[document] as number) + value - known
      }
    }
    return found
  }

  function push(slot: number, score: number, isNamed: boolean): void {
    slots = grown(slots, count + 1, Uint32Array)
    scores = grown(scores, count + 1, Float32Array)
    if (isNamed) named.push(count)
    slots[count] = slot
    scores[count++] = score
    if (score > highest) highest = score
  }

  function searchLive(terms: readonly Form[][], nameHash: number): void {
    for (const document of collection.live) {
      const classes = headClasses(document.units)
      let sum = 0
      for (const forms of terms) {
        let best = 0
        for (const { word, weight } of forms) {
          best = Math.max(best, weight * (CLASS_WEIGHT[classes.get(word) ?? 0] as number))
        }
        sum += best
      }
      if (sum > 0) push(document.slot, Math.fround(sum), document.nameHash === nameHash)
    }
  }

  /** The words of a packed document's name, slug and description with their classes. */
  function headClasses(units: Uint8Array): Map<number, number> {
    let end = 0
    for (let section = 0; section <= SECTION.aside; section++) end = endOfSection(units, end) + 1
    tokens = grown(tokens, end, Uint32Array)
    const length = unpackTokens(units, 0, end, vocabulary, tokens)
    const classes = new Map<number, number>()
    let section = 0
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word === SECTION_END) section++
      else if (word < REPEATED && section !== SECTION.tags) {
        const inField = section <= SECTION.slug ? IN_NAME : IN_DESCRIPTION
        classes.set(word, (classes.get(word) ?? 0) | inField)
      }
    }
    return classes
  }
}
