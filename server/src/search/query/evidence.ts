import { ensureCapacity } from '../document/ensure-capacity.ts'
import {
  countRare,
  type DocumentView,
  FIRST_RARE,
  GAP,
  README_BITS,
  REPEATED,
  SECTION,
  SECTION_END,
  SECTIONS,
} from '../document/forward-index.ts'
import { K1 } from '../lexicon/corpus-statistics.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import { proseShare, sectionValues } from '../segment/segment.ts'
import { MAX_QUERY_TERMS, type Query, type Term } from './parse.ts'
import { createWordPicker } from './word-picker.ts'

/** Maximum distance of a pair, in content words. */
const WINDOW = 4

/** Pair weight by SECTION. Sections with 0 form no pairs. */
const PAIR_VALUE = Float64Array.from([5, 5, 0, 8, 0, 0.5, 1, 0, 0])

/** Maximum number of units between the words of a pair. Rare words take two. */
const MAX_UNITS_BETWEEN = 2 * (WINDOW - 1)

export type Evidence = ReturnType<ReturnType<typeof createEvidenceReader>['read']>

export function createEvidenceReader(words: Vocabulary) {
  /** Marks each form of the query terms with a number. */
  const picker = createWordPicker(words)
  /** Term and exact weight by form. The weight is 0 for forms that the task does not contain. */
  let termOf = new Uint16Array(64)
  let exactWeight = new Float64Array(64)
  /** By form, the form of the same word for another term, or 0. A compound counts for two terms. */
  let otherForm = new Uint16Array(64)
  /** Weighted term frequency x of a document, by term and by form. Zero between documents. */
  const stemX = new Float64Array(MAX_QUERY_TERMS)
  let exactX = new Float64Array(64)
  let exactSeen = new Uint16Array(64)
  const termSeen = new Uint16Array(MAX_QUERY_TERMS)
  const found = new Uint16Array(MAX_QUERY_TERMS)
  /** Pair number + 1, or 0, by term a × `MAX_QUERY_TERMS` + term b. */
  const pairAt = new Uint16Array(MAX_QUERY_TERMS ** 2)
  let adjacentY = new Float64Array(64)
  let nearY = new Float64Array(64)
  let pairSeen = new Uint16Array(64)
  const values = new Float64Array(SECTIONS)
  let norms: Float64Array = new Float64Array(0)
  let query: Query = { terms: [], pairs: [], bound: 0, idf: 0, weights: {} }
  let exactCount = 0
  let termCount = 0
  let pairCount = 0
  /**
   * Evidence of the current document for the task. All numbers except `headIdf` and `readmeSupport`
   * include the prose share.
   */
  const evidence = {
    /** BM25F over exact words and stems (B). */
    words: 0,
    /** Evidence of adjacent pairs (G1), and of pairs within `WINDOW` (G4). */
    adjacent: 0,
    near: 0,
    /** Share of the name's words that occur in the task (P). */
    namePrecision: 0,
    /** IDF of the terms in name, slug, tags or description. */
    headIdf: 0,
    /** Prose share (prose.ts). */
    prose: 1,
    nameIdf: 0,
    /** Share of the head's matched IDF that the readme also has, or 1 if it was not read. */
    readmeSupport: 1,
  }
  return {
    begin,
    read,
    readHead,
    /** After `read`: for each term, a bit per SECTION that contains it. */
    sections: () => found.slice(0, query.terms.length),
  }

  /** Starts a task. */
  function begin(nextQuery: Query, nextNorms: Float64Array): void {
    picker.clear()
    for (const { a, b } of query.pairs) {
      pairAt[a * MAX_QUERY_TERMS + b] = pairAt[b * MAX_QUERY_TERMS + a] = 0
    }
    query = nextQuery
    norms = nextNorms
    const { terms, pairs } = query
    adjacentY = ensureCapacity(adjacentY, pairs.length + 1, Float64Array)
    nearY = ensureCapacity(nearY, pairs.length + 1, Float64Array)
    pairSeen = ensureCapacity(pairSeen, pairs.length, Uint16Array)
    const forms = terms.reduce((sum, { stemWords }) => sum + stemWords.length, 1)
    termOf = ensureCapacity(termOf, forms, Uint16Array)
    exactWeight = ensureCapacity(exactWeight, forms, Float64Array)
    otherForm = ensureCapacity(otherForm, forms, Uint16Array)
    exactX = ensureCapacity(exactX, forms, Float64Array)
    exactSeen = ensureCapacity(exactSeen, forms, Uint16Array)
    let form = 0
    terms.forEach((term, index) => {
      for (const word of term.stemWords) {
        form++
        otherForm[form] = picker.marks[word] ?? 0
        picker.mark(word, form)
        termOf[form] = index
        const used = term.words.find((other) => other.word === word)
        exactWeight[form] = used ? (K1 + 1) * (1 - term.stemShare) * used.idf : 0
      }
    })
    pairs.forEach(({ a, b }, index) => {
      pairAt[a * MAX_QUERY_TERMS + b] = pairAt[b * MAX_QUERY_TERMS + a] = index + 1
    })
  }

  /**
   * Returns the evidence of a document. The object is reused by the next read. `readHead` skips the
   * readme.
   */
  function read(document: DocumentView) {
    evidence.prose = proseShare(document)
    sectionValues(norms, document, values)
    picker.pick(document, SECTIONS)
    readHits(document.units)
    evidence.words = evidence.prose * sumWords()
    return evidence
  }

  function readHead(document: DocumentView) {
    // Word evidence needs the readme, too.
    values.fill(0)
    evidence.prose = proseShare(document)
    picker.pick(document, SECTION.heading)
    readHits(document.units)
    evidence.words = 0
    evidence.readmeSupport = 1
    return evidence
  }

  /** Collects sections, word evidence and pairs of the query terms. */
  function readHits(units: Uint16Array): void {
    const { hits, hitAt, hitCount, marks } = picker
    let section = 0
    let value = values[0] as number
    let pairValue = PAIR_VALUE[0] as number
    let first = 0
    let form = 0
    termCount = pairCount = exactCount = 0
    found.fill(0, 0, query.terms.length)
    for (let i = 0; i < hitCount; i++) {
      const word = hits[i] as number
      if (word === SECTION_END) {
        section++
        value = values[section] as number
        pairValue = PAIR_VALUE[section] as number
        first = i + 1
        continue
      }
      if (word === GAP) {
        first = i + 1
        continue
      }
      if (word >= REPEATED) {
        addWord(form, value * (word - REPEATED))
        continue
      }
      form = marks[word] as number
      addWord(form, value)
      for (let each = form; each !== 0; each = otherForm[each] as number) {
        const term = termOf[each] as number
        const before = found[term] as number
        if (before === 0) termSeen[termCount++] = term
        found[term] = before | (1 << section)
      }
      if (pairValue === 0) continue
      addPair(form, otherForm[form] as number, pairValue, 1)
      // A rare word takes two units.
      const position = (hitAt[i] as number) - (word < FIRST_RARE ? 0 : 1)
      for (let j = i - 1; j >= first; j--) {
        const after = (hitAt[j] as number) + 1
        if (position - after > MAX_UNITS_BETWEEN) break
        const distance = 1 + position - after - countRare(units, after, position)
        if (distance > WINDOW) break
        addPair(marks[hits[j] as number] as number, form, pairValue, distance)
      }
    }
    sumPairs()
    sumHead()
  }

  /** Adds the value of an occurrence to its stem, and to the exact word if the task contains it. */
  function addWord(form: number, x: number): void {
    if (x === 0) return
    if (otherForm[form] !== 0) addWord(otherForm[form] as number, x)
    const term = termOf[form] as number
    stemX[term] = (stemX[term] as number) + x
    if ((exactWeight[form] as number) === 0) return
    const known = exactX[form] as number
    if (known === 0) exactSeen[exactCount++] = form
    exactX[form] = known + x
  }

  /** Adds an occurrence of two nearby words if they are a pair of the task. */
  function addPair(one: number, other: number, value: number, distance: number): void {
    if (other === 0) return
    if (otherForm[one] !== 0) addPair(otherForm[one] as number, other, value, distance)
    const row = (termOf[one] as number) * MAX_QUERY_TERMS
    const pair = pairAt[row + (termOf[other] as number)] as number
    if (pair === 0) return
    const before = nearY[pair] as number
    if (before === 0) pairSeen[pairCount++] = pair
    nearY[pair] = before + value
    if (distance === 1) adjacentY[pair] = (adjacentY[pair] as number) + value
  }

  function sumWords(): number {
    let sum = 0
    for (let i = 0; i < exactCount; i++) {
      const form = exactSeen[i] as number
      const x = exactX[form] as number
      exactX[form] = 0
      sum += ((exactWeight[form] as number) * x) / (x + K1)
    }
    for (let i = 0; i < termCount; i++) {
      const at = termSeen[i] as number
      const x = stemX[at] as number
      stemX[at] = 0
      const { stemIdf, stemShare } = query.terms[at] as Term
      sum += ((K1 + 1) * stemShare * stemIdf * x) / (x + K1)
    }
    return sum
  }

  function sumPairs(): void {
    let adjacent = 0
    let near = 0
    for (let i = 0; i < pairCount; i++) {
      const pair = pairSeen[i] as number
      const weight = query.pairs[pair - 1]?.weight ?? 0
      const y1 = adjacentY[pair] as number
      const y4 = nearY[pair] as number
      adjacentY[pair] = nearY[pair] = 0
      adjacent += (weight * y1) / (y1 + 1)
      near += (weight * y4) / (y4 + 1)
    }
    evidence.adjacent = evidence.prose * adjacent
    evidence.near = evidence.prose * near
  }

  /** Sums the IDF of terms in the head and in the name. */
  function sumHead(): void {
    let head = 0
    let name = 0
    let inReadme = 0
    for (let i = 0; i < termCount; i++) {
      const term = termSeen[i] as number
      const sections = found[term] as number
      if (picker.slugRepeats) found[term] = sections | ((sections & 1) << SECTION.slug)
      if ((sections & HEAD) === 0) continue
      const idf = query.terms[term]?.stemIdf ?? 0
      head += idf
      if ((sections & README_BITS) !== 0) inReadme += idf
      if ((sections & (1 << SECTION.name)) !== 0) name += idf
    }
    evidence.headIdf = head
    evidence.readmeSupport = head === 0 ? 1 : inReadme / head
    evidence.nameIdf = evidence.prose * name
    evidence.namePrecision = evidence.prose * picker.namePrecision
  }
}

const HEAD =
  (1 << SECTION.name) | (1 << SECTION.slug) | (1 << SECTION.tags) | (1 << SECTION.description)
