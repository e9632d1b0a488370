import type { DocumentView } from './collection.ts'
import { EXACT_SHARE, K1, PAIR_FIELD_WEIGHT, WINDOW } from './constants.ts'
import {
  END_BYTE,
  endOfSection,
  GAP,
  longWord,
  REPEATED,
  SECTION,
  SECTION_END,
  SECTIONS,
  THREE_BYTES,
  TWO_BYTES,
  unpackTokens,
  WIDTH,
  type WordRanks,
} from './forward.ts'
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
  /** The marked words that take one byte, and a bit for each that takes two (forward.ts). */
  const oneByte = new Uint8Array(TWO_BYTES)
  const twoBytes = new Uint32Array(((THREE_BYTES - TWO_BYTES) << 8) >>> 5)
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
  /** The words of the task that were picked out, and the token that each is. */
  let hits = new Uint32Array(4096)
  let hitAt = new Uint32Array(4096)
  const values = new Float64Array(SECTIONS)
  let norms: Float64Array = new Float64Array(0)
  let query: Query = { terms: [], pairs: [], bound: 0, idf: 0, weights: {} }
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
        notePacked(word, 1)
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
      notePacked(word, 0)
    }
    marked.length = 0
    const { terms, pairs } = query
    for (const { a, b } of pairs) {
      pairAt[a * terms.length + b] = pairAt[b * terms.length + a] = 0
    }
  }

  /** Marks a word, or takes the mark away, by the bytes it takes. */
  function notePacked(word: number, bit: 0 | 1): void {
    const { lastFiller, lastCommon } = vocabulary
    if (word > lastFiller && word <= lastCommon) {
      oneByte[word - lastFiller - 1] = bit
      return
    }
    const rank = word <= lastFiller ? word : word - lastCommon + lastFiller
    const place = rank >>> 5
    if (place >= twoBytes.length) return
    const mask = 1 << (rank & 31)
    const before = twoBytes[place] as number
    twoBytes[place] = bit === 1 ? before | mask : before & ~mask
  }

  function read(document: DocumentView): DocumentEvidence {
    sectionValues(norms, document.lengths, document.lengthsAt, values)
    pick(document, SECTIONS)
    noteHits()
    addWords()
    evidence.words = sumWords()
    return evidence
  }

  function readHead(document: DocumentView): DocumentEvidence {
    pick(document, SECTION.heading)
    noteHits()
    evidence.words = 0
    return evidence
  }

  function pick({ units, start, end }: DocumentView, sections: number): void {
    if (end - start > hits.length) {
      hits = new Uint32Array(2 * (end - start))
      hitAt = new Uint32Array(2 * (end - start))
    }
    readName(units, start)
    hitCount = pickOut(units, start, sections, vocabulary, oneByte, twoBytes, marks, hits, hitAt)
  }

  /** Name precision, and whether a slug follows. */
  function readName(units: Uint8Array, start: number): void {
    const end = endOfSection(units, start)
    const length = unpackTokens(units, start, end, vocabulary, hits)
    let words = 0
    let said = 0
    for (let i = 0; i < length; i++) {
      const word = hits[i] as number
      if (word <= vocabulary.lastStop) continue
      words++
      if (marks[word] !== 0) said++
    }
    evidence.namePrecision = words === 0 ? 0 : said / words
    slugRepeats = units[end + 1] === END_BYTE
  }

  /** Notes which terms stand in which sections, and pairs of neighbours. */
  function noteHits(): void {
    let section = 0
    let pairValue = PAIR_VALUE[0] as number
    let first = 0
    termCount = pairCount = 0
    found.fill(0, 0, query.terms.length)
    for (let i = 0; i < hitCount; i++) {
      const word = hits[i] as number
      if (word === SECTION_END) {
        pairValue = PAIR_VALUE[++section] as number
        first = i + 1
        continue
      }
      if (word === GAP) first = i + 1
      if (word === GAP || word >= REPEATED) continue
      const form = marks[word] as number
      const term = termOf[form] as number
      const before = found[term] as number
      if (before === 0) termSeen[termCount++] = term
      found[term] = before | (1 << section)
      if (pairValue === 0) continue
      const position = hitAt[i] as number
      for (let j = i - 1; j >= first; j--) {
        const distance = position - (hitAt[j] as number)
        if (distance > WINDOW) break
        meet(marks[hits[j] as number] as number, form, pairValue, distance)
      }
    }
    sumPairs()
    sumHead()
  }

  /** Adds what each occurrence counts to its stem and, if the task has it, to the exact word. */
  function addWords(): void {
    let section = 0
    let value = values[0] as number
    let form = 0
    exactCount = 0
    for (let i = 0; i < hitCount; i++) {
      const word = hits[i] as number
      if (word === SECTION_END) {
        value = values[++section] as number
        continue
      }
      if (word === GAP || value === 0) continue
      let x = value
      if (word >= REPEATED) x *= word - REPEATED
      else form = marks[word] as number
      const term = termOf[form] as number
      stemX[term] = (stemX[term] as number) + x
      if ((exactWeight[form] as number) === 0) continue
      const known = exactX[form] as number
      if (known === 0) exactSeen[exactCount++] = form
      exactX[form] = known + x
    }
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

/**
 * Picks the marked words out of the first sections of a packed document, with the number of the token
 * that each is; gives how many. The inner loop only looks, so that V8 keeps all of it in registers: it
 * passes over a thousand words a document.
 */
function pickOut(
  units: Uint8Array,
  start: number,
  sections: number,
  ranks: WordRanks,
  oneByte: Uint8Array,
  twoBytes: Uint32Array,
  marks: Uint16Array,
  hits: Uint32Array,
  hitAt: Uint32Array,
): number {
  const { lastFiller, lastCommon } = ranks
  let count = 0
  let left = sections
  let token = 0
  let lastHit = -1
  for (let i = start; ; token++) {
    let first = units[i] as number
    let rank = 0
    while (first < THREE_BYTES) {
      if (first < TWO_BYTES) {
        if (oneByte[first] !== 0) break
        i++
      } else {
        rank = ((first - TWO_BYTES) << 8) | (units[i + 1] as number)
        if ((((twoBytes[rank >>> 5] as number) >>> (rank & 31)) & 1) !== 0) break
        i += 2
      }
      token++
      first = units[i] as number
    }
    let word = 0
    if (first < TWO_BYTES) {
      word = lastFiller + 1 + first
      i++
    } else if (first < THREE_BYTES) {
      word = rank <= lastFiller ? rank : rank + lastCommon - lastFiller
      i += 2
    } else {
      const at = i
      i += WIDTH[first - THREE_BYTES] as number
      if (first === END_BYTE) {
        hits[count++] = SECTION_END
        if (--left === 0) return count
        continue
      }
      if (first === END_BYTE - 1) {
        hits[count++] = GAP
        continue
      }
      if (first === END_BYTE - 2) {
        if (lastHit === token - 1) hits[count++] = REPEATED + (units[at + 1] as number)
        continue
      }
      word = longWord(units, at, ranks)
      if (marks[word] === 0) continue
    }
    lastHit = token
    hitAt[count] = token
    hits[count++] = word
  }
}
