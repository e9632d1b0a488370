import { EXACT_SHARE, K1, PAIR_FIELD_WEIGHT, WINDOW } from './constants.ts'
import type { DocumentView } from './collection.ts'
import { GAP, REPEAT, SECTION, SECTION_END, SECTIONS, WIDE } from './forward.ts'
import { grown } from './growth.ts'
import { sectionValues } from './impact.ts'
import type { Query } from './query.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What a document holds of a task. */
export interface DocumentEvidence {
  /** BM25F over exact words and stems (B). */
  words: number
  /** Of pairs that stand side by side (G1), and at most `WINDOW` content words apart (G4). */
  beside: number
  near: number
  /** Share of the name's words that the task says (P). */
  namePrecision: number
  /** IDF of the task's stems found in name, slug, tags or description. */
  headIdf: number
}

/** Reads documents with one task in mind. */
export interface EvidenceReader {
  /** Marks the task's words; must be followed by `end`. */
  begin(query: Query, norms: Float64Array): void
  /** Reads a document, or all of it but its readme. The answer holds until the next. */
  read(document: DocumentView): DocumentEvidence
  readHead(document: DocumentView): DocumentEvidence
  /** After `read`: for each term a bit per SECTION in which the document holds it. */
  sections(): Uint16Array
  end(): void
}

/** Pair weight of each section, by SECTION; a section of 0 makes no pairs. */
const PAIR_VALUE = Float64Array.from([
  PAIR_FIELD_WEIGHT.name,
  PAIR_FIELD_WEIGHT.name,
  0,
  PAIR_FIELD_WEIGHT.description,
  0,
  PAIR_FIELD_WEIGHT.heading,
  PAIR_FIELD_WEIGHT.text,
  0,
  0,
])

export function createEvidenceReader(vocabulary: Vocabulary): EvidenceReader {
  /** By word: its number among the task's forms, plus one; zero between tasks. */
  let marks = new Uint16Array(1024)
  /** A bit per word that has a mark, and for gaps: small enough for the processor's nearest cache. */
  let bits = new Uint32Array(32)
  const marked: number[] = []
  /** By form: its term, and its exact evidence, which is zero for forms that the task does not use. */
  let termOf = new Uint16Array(64)
  let exactWeight = new Float64Array(64)
  /** Sums of x of the document being read, by term and by form; zero in between. */
  let stemX = new Float64Array(64)
  let exactX = new Float64Array(64)
  let exactSeen = new Uint16Array(64)
  let termSeen = new Uint16Array(64)
  let found = new Uint16Array(64)
  /** Pair number + 1 by term × terms + term. */
  let pairAt = new Uint16Array(256)
  let besideY = new Float64Array(64)
  let nearY = new Float64Array(64)
  let pairSeen = new Uint16Array(64)
  /** The words of the task that were picked out, and the unit at which each stands. */
  let hits = new Uint32Array(4096)
  let hitAt = new Uint32Array(4096)
  const values = new Float64Array(SECTIONS)
  let norms: Float64Array = new Float64Array(0)
  let query: Query = { terms: [], pairs: [], bound: 0, idf: 0 }
  let hitCount = 0
  /** The slug is the same words as the name, and so is not written again. */
  let slugRepeats = false
  let exactCount = 0
  let termCount = 0
  let pairCount = 0
  const evidence: DocumentEvidence = {
    words: 0,
    beside: 0,
    near: 0,
    namePrecision: 0,
    headIdf: 0,
  }
  return { begin, read, readHead, sections: () => found, end }

  function begin(given: Query, givenNorms: Float64Array): void {
    query = given
    norms = givenNorms
    const { terms, pairs } = query
    marks = grown(marks, vocabulary.count + 1, Uint16Array)
    bits = grown(bits, (vocabulary.count >>> 5) + 1, Uint32Array)
    bits[0] = 1 << GAP
    pairAt = grown(pairAt, terms.length * terms.length, Uint16Array)
    besideY = grown(besideY, pairs.length + 1, Float64Array)
    nearY = grown(nearY, pairs.length + 1, Float64Array)
    pairSeen = grown(pairSeen, pairs.length, Uint16Array)
    stemX = grown(stemX, terms.length, Float64Array)
    termSeen = grown(termSeen, terms.length, Uint16Array)
    found = grown(found, terms.length, Uint16Array)
    terms.forEach((term, index) => {
      if (term.group === 0) return
      for (let word = vocabulary.firstWord[term.group] as number; word !== 0; ) {
        marked.push(word)
        const form = marked.length
        marks[word] = form
        bits[word >>> 5] = (bits[word >>> 5] as number) | (1 << (word & 31))
        termOf = grown(termOf, form + 1, Uint16Array)
        exactWeight = grown(exactWeight, form + 1, Float64Array)
        termOf[form] = index
        const used = term.words.find((other) => other.word === word)
        exactWeight[form] = used ? (K1 + 1) * EXACT_SHARE * used.idf : 0
        word = vocabulary.nextWord[word] as number
      }
    })
    exactX = grown(exactX, marked.length + 1, Float64Array)
    exactSeen = grown(exactSeen, marked.length + 1, Uint16Array)
    pairs.forEach(({ a, b }, index) => {
      pairAt[a * terms.length + b] = pairAt[b * terms.length + a] = index + 1
    })
  }

  function end(): void {
    for (const word of marked) {
      marks[word] = 0
      bits[word >>> 5] = 0
    }
    marked.length = 0
    const { terms, pairs } = query
    for (const { a, b } of pairs) {
      pairAt[a * terms.length + b] = pairAt[b * terms.length + a] = 0
    }
  }

  function read(document: DocumentView): DocumentEvidence {
    return readSections(document, SECTIONS)
  }

  function readHead(document: DocumentView): DocumentEvidence {
    return readSections(document, SECTION.heading)
  }

  function readSections(document: DocumentView, sections: number): DocumentEvidence {
    const { units, start, end, lengths, lengthsAt } = document
    sectionValues(norms, lengths, lengthsAt, values)
    exactCount = termCount = pairCount = 0
    found.fill(0, 0, query.terms.length)
    if (end - start > hits.length) {
      hits = new Uint32Array(2 * (end - start))
      hitAt = new Uint32Array(2 * (end - start))
    }
    readName(units, start)
    hitCount = pickOut(units, start, sections, bits, hits, hitAt)
    return addUp()
  }

  /** Name precision, and whether a slug follows. */
  function readName(units: Uint16Array, start: number): void {
    let words = 0
    let said = 0
    let i = start
    for (; units[i] !== SECTION_END; i++) {
      let word = units[i] as number
      if (word >= WIDE) word = ((word - WIDE) << 16) | (units[++i] as number)
      if (word <= vocabulary.lastStop) continue
      words++
      if (marks[word] !== 0) said++
    }
    evidence.namePrecision = words === 0 ? 0 : said / words
    slugRepeats = units[i + 1] === SECTION_END
  }

  /** Adds up what was picked out: words by section, and pairs of neighbours. */
  function addUp(): DocumentEvidence {
    let section = 0
    let pairValue = PAIR_VALUE[0] as number
    let first = 0
    let form = 0
    for (let i = 0; i < hitCount; i++) {
      const word = hits[i] as number
      if (word === GAP) {
        first = i + 1
        continue
      }
      if (word === ENDED) {
        pairValue = PAIR_VALUE[++section] as number
        first = i + 1
        continue
      }
      if (word >= REPEATED) {
        add(form, section, word - REPEATED)
        continue
      }
      form = marks[word] as number
      add(form, section, 1)
      if (pairValue === 0) continue
      const position = hitAt[i] as number
      for (let j = i - 1; j >= first; j--) {
        const distance = position - (hitAt[j] as number)
        if (distance > WINDOW) break
        meet(marks[hits[j] as number] as number, form, pairValue, distance)
      }
    }
    evidence.words = sumWords()
    sumPairs()
    sumHead()
    return evidence
  }

  function add(form: number, section: number, times: number): void {
    const x = times * (values[section] as number)
    const term = termOf[form] as number
    const before = found[term] as number
    if (before === 0) termSeen[termCount++] = term
    found[term] = before | (1 << section)
    stemX[term] = (stemX[term] as number) + x
    if ((exactWeight[form] as number) === 0) return
    const known = exactX[form] as number
    if (known === 0) exactSeen[exactCount++] = form
    exactX[form] = known + x
  }

  /** Counts two words that are near each other, when they are in the task, too. */
  function meet(one: number, other: number, value: number, distance: number): void {
    const terms = query.terms.length
    const pair = pairAt[(termOf[one] as number) * terms + (termOf[other] as number)] as number
    if (pair === 0) return
    const before = nearY[pair] as number
    if (before === 0) pairSeen[pairCount++] = pair
    nearY[pair] = before + value
    if (distance === 1) besideY[pair] = (besideY[pair] as number) + value
  }

  function sumWords(): number {
    let sum = 0
    for (let i = 0; i < exactCount; i++) {
      const form = exactSeen[i] as number
      const x = exactX[form] as number
      exactX[form] = 0
      sum += ((exactWeight[form] as number) * x) / (x + K1)
    }
    const share = (K1 + 1) * (1 - EXACT_SHARE)
    for (let i = 0; i < termCount; i++) {
      const term = termSeen[i] as number
      const x = stemX[term] as number
      stemX[term] = 0
      sum += (share * (query.terms[term]?.stemIdf ?? 0) * x) / (x + K1)
    }
    return sum
  }

  function sumPairs(): void {
    let beside = 0
    let near = 0
    for (let i = 0; i < pairCount; i++) {
      const pair = pairSeen[i] as number
      const weight = query.pairs[pair - 1]?.weight ?? 0
      const y1 = besideY[pair] as number
      const y4 = nearY[pair] as number
      besideY[pair] = nearY[pair] = 0
      beside += (weight * y1) / (y1 + 1)
      near += (weight * y4) / (y4 + 1)
    }
    evidence.beside = beside
    evidence.near = near
  }

  /** IDF of the terms found in the head. */
  function sumHead(): void {
    let head = 0
    for (let i = 0; i < termCount; i++) {
      const term = termSeen[i] as number
      const sections = found[term] as number
      if (slugRepeats) found[term] = sections | ((sections & 1) << SECTION.slug)
      if ((sections & HEAD) !== 0) head += query.terms[term]?.stemIdf ?? 0
    }
    evidence.headIdf = head
  }
}

/** The sections that say what a skill is for. */
const HEAD =
  (1 << SECTION.name) | (1 << SECTION.slug) | (1 << SECTION.tags) | (1 << SECTION.description)

/** Among the words: a section has ended, or the word before stands here that much more often. */
const ENDED = 0xffffffff
const REPEATED = 0xf0000000

/**
 * Picks the words that have a bit out of the first sections of a document, and where they stand;
 * gives how many. The inner loop only looks, so that V8 keeps all of it in registers: it passes over
 * a thousand units a document.
 */
function pickOut(
  units: Uint16Array,
  start: number,
  sections: number,
  bits: Uint32Array,
  hits: Uint32Array,
  hitAt: Uint32Array,
): number {
  let count = 0
  let left = sections
  let lastHit = -1
  for (let i = start; ; i++) {
    let word = units[i] as number
    while (word < WIDE && (((bits[word >>> 5] as number) >>> (word & 31)) & 1) === 0) {
      word = units[++i] as number
    }
    if (word >= REPEAT) {
      if (word === SECTION_END) {
        hits[count++] = ENDED
        if (--left === 0) return count
      } else if (lastHit === i - 1) hits[count++] = REPEATED + word - REPEAT
      continue
    }
    if (word >= WIDE) {
      word = ((word - WIDE) << 16) | (units[++i] as number)
      if ((((bits[word >>> 5] as number) >>> (word & 31)) & 1) === 0) continue
    }
    lastHit = i
    hitAt[count] = i
    hits[count++] = word
  }
}
