import { NAME_PRECISION_WEIGHT, PAIR_FIELD_WEIGHT, PAIR_WEIGHT } from './constants.ts'
import { BREAK, type Documents, WIDE } from './documents.ts'
import { grown } from './growth.ts'
import { FIELD } from './payload.ts'
import type { Query } from './query.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Rescored {
  /** Evidence of adjacent pairs. */
  pairs: number
  /** Share of the name's stems that the task says. */
  namePrecision: number
  /** IDF of the task's stems found in name, slug, tags or description. */
  headIdf: number
}

/** Reads the word sequences of documents with one task in mind. */
export interface Rescorer {
  /** Marks the task's words; must be followed by `end`. */
  begin(query: Query): void
  rescore(document: number): Rescored
  /** For each term, a bit per FIELD in which the document holds it. */
  fields(document: number): Uint8Array
  end(): void
}

/** The final score of a document: the recipe's formula. */
export function finalScore(
  words: number,
  { pairs, namePrecision }: Rescored,
  bound: number,
): number {
  return (words + PAIR_WEIGHT * pairs) / bound + NAME_PRECISION_WEIGHT * namePrecision
}

/** Pair weight of each section, by FIELD; a section of 0 makes no pairs. */
const SECTION_WEIGHT = Float64Array.from([
  PAIR_FIELD_WEIGHT.name,
  PAIR_FIELD_WEIGHT.name,
  0,
  PAIR_FIELD_WEIGHT.description,
  0,
  PAIR_FIELD_WEIGHT.heading,
  PAIR_FIELD_WEIGHT.text,
  0,
])

export function createRescorer(vocabulary: Vocabulary, documents: Documents): Rescorer {
  /** Term number + 1 of the words whose stem the task uses, zero between tasks. */
  let marks = new Uint16Array(1024)
  const marked: number[] = []
  /** Pair number + 1 by term × terms + term. */
  let pairAt = new Uint16Array(256)
  let frequencies = new Float64Array(64)
  let seenPairs = new Uint16Array(64)
  let pairsSeen = 0
  let seenTerms = new Uint8Array(64)
  let current: Query = { terms: [], pairs: [], bound: 0 }
  const result: Rescored = { pairs: 0, namePrecision: 0, headIdf: 0 }
  return { begin, rescore, fields, end }

  function begin(query: Query): void {
    current = query
    const { terms, pairs } = query
    marks = grown(marks, vocabulary.count + 1, Uint16Array)
    pairAt = grown(pairAt, terms.length * terms.length, Uint16Array)
    frequencies = grown(frequencies, pairs.length, Float64Array)
    seenPairs = grown(seenPairs, pairs.length, Uint16Array)
    seenTerms = grown(seenTerms, terms.length, Uint8Array)
    terms.forEach((term, index) => {
      if (term.group === 0) return
      for (let word = vocabulary.firstWord[term.group] as number; word !== 0; ) {
        marks[word] = index + 1
        marked.push(word)
        word = vocabulary.nextWord[word] as number
      }
    })
    pairs.forEach(({ a, b }, index) => {
      pairAt[a * terms.length + b] = pairAt[b * terms.length + a] = index + 1
    })
  }

  function end(): void {
    for (const word of marked) marks[word] = 0
    marked.length = 0
    const { terms, pairs } = current
    for (const { a, b } of pairs) {
      pairAt[a * terms.length + b] = pairAt[b * terms.length + a] = 0
    }
  }

  function rescore(document: number): Rescored {
    documents.open(document)
    const { array, start, end } = documents
    const { lastStop, lastFiller } = vocabulary
    const width = current.terms.length
    pairsSeen = 0
    let section = 0
    let previous = 0
    let headIdf = 0
    let nameWords = 0
    let nameHits = 0
    let i = start
    seenTerms.fill(0, 0, width)
    for (; i < end && section < FIELD.heading; i++) {
      let word = array[i] as number
      if (word >= WIDE) {
        if (word === BREAK) {
          section++
          previous = 0
          continue
        }
        word = ((word - WIDE) << 16) | (array[++i] as number)
      }
      const mark = marks[word] as number
      if (section === FIELD.name && word > lastStop) {
        nameWords++
        if (mark !== 0) nameHits++
      }
      if (mark !== 0 && seenTerms[mark - 1] === 0) {
        seenTerms[mark - 1] = 1
        if (section < FIELD.aside) headIdf += current.terms[mark - 1]?.stemIdf ?? 0
      }
      if (word <= lastFiller) continue
      if (mark !== 0 && previous !== 0) meet(previous, mark, SECTION_WEIGHT[section] as number)
      previous = mark
    }
    if (current.pairs.length > 0) readBody(array, i, end)
    let evidence = 0
    for (let i = 0; i < pairsSeen; i++) {
      const pair = seenPairs[i] as number
      const y = frequencies[pair] as number
      frequencies[pair] = 0
      evidence += ((current.pairs[pair]?.weight ?? 0) * y) / (y + 1)
    }
    result.pairs = evidence
    result.namePrecision = nameWords === 0 ? 0 : nameHits / nameWords
    result.headIdf = headIdf
    return result
  }

  /** Headings and text: content words only, and the bulk of the reading. */
  function readBody(array: Uint16Array, start: number, end: number): void {
    const mark = marks
    let weight = SECTION_WEIGHT[FIELD.heading] as number
    let previous = 0
    for (let i = start; i < end; i++) {
      const word = array[i] as number
      let here = 0
      if (word < WIDE) here = mark[word] as number
      else if (word === BREAK) {
        if (weight === SECTION_WEIGHT[FIELD.text]) return
        weight = SECTION_WEIGHT[FIELD.text] as number
      } else here = mark[((word - WIDE) << 16) | (array[++i] as number)] as number
      if (here !== 0 && previous !== 0) meet(previous, here, weight)
      previous = here
    }
  }

  /** Counts an adjacent pair, when the task has it too. */
  function meet(previous: number, mark: number, weight: number): void {
    const pair = pairAt[(previous - 1) * current.terms.length + mark - 1] as number
    if (pair === 0 || weight === 0) return
    const before = frequencies[pair - 1] as number
    if (before === 0) seenPairs[pairsSeen++] = pair - 1
    frequencies[pair - 1] = before + weight
  }

  function fields(document: number): Uint8Array {
    documents.open(document)
    const { array, start, end } = documents
    const found = new Uint8Array(current.terms.length)
    let section = 0
    let slugWords = 0
    for (let i = start; i < end; i++) {
      let word = array[i] as number
      if (word === BREAK) {
        section++
        continue
      }
      if (section === FIELD.slug) slugWords++
      if (word >= WIDE) word = ((word - WIDE) << 16) | (array[++i] as number)
      const mark = marks[word] as number
      if (mark !== 0) found[mark - 1] = (found[mark - 1] as number) | (1 << section)
    }
    // a slug of the same words as the name is not stored
    if (slugWords === 0) {
      for (let i = 0; i < found.length; i++) {
        const bits = found[i] as number
        found[i] = bits | ((bits & 1) << FIELD.slug)
      }
    }
    return found
  }
}
