import { ensureCapacity } from '../document/ensure-capacity.ts'
import {
  type DocumentView,
  GAP,
  REPEATED,
  readTokens,
  SECTION,
  SECTION_END,
  SECTIONS,
  STATS_BYTES,
} from '../document/forward-index.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import {
  IN_DESCRIPTION,
  IN_NAME,
  LEVELS,
  levelOf,
  type PostingLists,
  proseShare,
  type Segment,
  sectionValues,
} from './segment.ts'

/** Documents per step. */
const STEP = 32

/** Expected stems per unit, and head words per document, slightly above the mean. */
const STEMS_PER_UNIT = 0.5
const HEAD_WORDS = 48

/** Creates a builder that reuses its arrays, which are as long as the vocabulary. */
export function createSegmentBuilder(vocabulary: Vocabulary, norms: () => Float64Array) {
  const values = new Float64Array(SECTIONS)
  /** By stem and by word of the current document. Zero between documents. */
  let x = new Float32Array(1024)
  let fields = new Uint8Array(1024)
  /** Key numbers of the postings builders, by stem and by word. Zero between builds. */
  let stemNumbers = new Uint32Array(1024)
  let headNumbers = new Uint32Array(1024)
  let tokens = new Uint32Array(4096)
  let touched = new Uint32Array(4096)
  let headWords = new Uint32Array(4096)
  let touchedCount = 0
  let headCount = 0
  return build

  /** Builds a segment of at most `SEGMENT_DOCUMENTS` documents in steps of a few milliseconds. */
  function* build(documents: readonly DocumentView[]): Generator<void, Segment> {
    const count = documents.length
    const slots = new Uint32Array(count)
    const nameHashes = new Uint32Array(count)
    const lengths = new Uint8Array(count * STATS_BYTES)
    const unitStarts = new Uint32Array(count + 1)
    documents.forEach(({ start, end }, number) => {
      unitStarts[number + 1] = (unitStarts[number] as number) + end - start
    })
    const units = new Uint16Array(unitStarts[count] as number)
    const stems = createPostingsBuilder(Math.ceil(units.length * STEMS_PER_UNIT), () => stemNumbers)
    const heads = createPostingsBuilder(count * HEAD_WORDS, () => headNumbers)
    for (const [number, document] of documents.entries()) {
      slots[number] = document.slot
      nameHashes[number] = document.nameHash
      const { start, end, lengthsAt } = document
      const codes = document.lengths.subarray(lengthsAt, lengthsAt + STATS_BYTES)
      lengths.set(codes, number * STATS_BYTES)
      units.set(document.units.subarray(start, end), unitStarts[number] as number)
      read(document, number, stems, heads)
      if (number % STEP === STEP - 1) yield
    }
    const lists = { stems: yield* stems.build(), heads: yield* heads.build() }
    return { documents: count, slots, nameHashes, lengths, unitStarts, units, ...lists }
  }

  /** Turns a document into postings: stems with impact levels, head words with fields. */
  function read(
    view: DocumentView,
    document: number,
    stems: PostingsBuilder,
    heads: PostingsBuilder,
  ): void {
    // Read for each document, because the vocabulary grows between steps.
    const { stems: stemOf, count } = vocabulary
    const entries = count + 1
    const units = view.end - view.start
    sectionValues(norms(), view, values)
    // Word lists have low impacts, regardless of repetition.
    const prose = proseShare(view)
    x = ensureCapacity(x, entries, Float32Array)
    fields = ensureCapacity(fields, entries, Uint8Array)
    stemNumbers = ensureCapacity(stemNumbers, entries, Uint32Array)
    headNumbers = ensureCapacity(headNumbers, entries, Uint32Array)
    tokens = ensureCapacity(tokens, units, Uint32Array)
    touched = ensureCapacity(touched, units, Uint32Array)
    headWords = ensureCapacity(headWords, units, Uint32Array)
    readTokens(view, tokens)
    touchedCount = headCount = 0
    let i = 0
    for (let section = 0; section < SECTIONS; section++, i++) {
      const from = i
      while (tokens[i] !== SECTION_END) i++
      if (section <= SECTION.aside && section !== SECTION.tags) {
        const field = section <= SECTION.slug ? IN_NAME : IN_DESCRIPTION
        addHeadWords(from, i, field)
      }
      const value = values[section] as number
      if (value > 0) addEvidence(from, i, value, stemOf)
    }
    for (let i = 0; i < touchedCount; i++) {
      const stem = touched[i] as number
      stems.add(stem, document, levelOf(x[stem] as number, prose))
      x[stem] = 0
    }
    for (let i = 0; i < headCount; i++) {
      const word = headWords[i] as number
      heads.add(word, document, fields[word] as number)
      fields[word] = 0
    }
  }

  /** Adds a field to its head words. */
  function addHeadWords(from: number, end: number, field: number): void {
    for (let i = from; i < end; i++) {
      const word = tokens[i] as number
      if (word === GAP) continue
      const previous = fields[word] as number
      if (previous === 0) headWords[headCount++] = word
      fields[word] = previous | field
    }
  }

  /** Adds the evidence of a section's stems. */
  function addEvidence(from: number, end: number, value: number, stemOf: Uint32Array): void {
    let stem = 0
    for (let i = from; i < end; i++) {
      const word = tokens[i] as number
      if (word >= REPEATED) {
        x[stem] = (x[stem] as number) + (word - REPEATED) * value
        continue
      }
      if (word === GAP) continue
      stem = stemOf[word] as number
      const previous = x[stem] as number
      if (previous === 0) touched[touchedCount++] = stem
      x[stem] = previous + value
    }
  }
}

/** Postings per step. */
const POSTINGS_STEP = 200_000

type PostingsBuilder = ReturnType<typeof createPostingsBuilder>

/**
 * Collects postings, in ascending order of documents, and builds posting lists. Keys are renumbered
 * in order of appearance, so that a small segment needs no arrays as long as the vocabulary.
 * `numbers` has an entry for each key. It must be zero, and `build` clears it.
 */
function createPostingsBuilder(room: number, numbers: () => Uint32Array) {
  const keys: number[] = []
  let numberOf = new Uint32Array(room)
  let documentOf = new Uint16Array(room)
  let levelOf = new Uint8Array(room)
  let count = 0
  /** By key number and level: the document count, then the next position. */
  let places = new Uint32Array(64 * LEVELS)
  return { add, build }

  function add(key: number, document: number, level: number): void {
    const known = numbers()
    if (known[key] === 0) {
      known[key] = keys.push(key)
      places = ensureCapacity(places, keys.length * LEVELS, Uint32Array)
    }
    if (count === numberOf.length) {
      numberOf = ensureCapacity(numberOf, 2 * count + 1024, Uint32Array)
      documentOf = ensureCapacity(documentOf, 2 * count + 1024, Uint16Array)
      levelOf = ensureCapacity(levelOf, 2 * count + 1024, Uint8Array)
    }
    const number = (known[key] as number) - 1
    const place = number * LEVELS + level
    places[place] = (places[place] as number) + 1
    numberOf[count] = number
    documentOf[count] = document
    levelOf[count++] = level
  }

  /** Builds the posting lists in steps. Call it once. */
  function* build(): Generator<void, PostingLists> {
    const sorted = Uint32Array.from(keys).sort()
    const starts = new Uint32Array(keys.length + 1)
    yield
    const known = numbers()
    let end = 0
    sorted.forEach((key, i) => {
      const number = (known[key] as number) - 1
      known[key] = 0
      starts[i] = end
      for (let level = LEVELS - 1; level >= 0; level--) {
        const place = number * LEVELS + level
        const documents = places[place] as number
        places[place] = end
        end += documents
      }
    })
    starts[keys.length] = end
    const documents = new Uint16Array(count)
    const levels = new Uint8Array(count)
    for (let i = 0; i < count; i++) {
      if (i % POSTINGS_STEP === 0) yield
      const place = (numberOf[i] as number) * LEVELS + (levelOf[i] as number)
      const at = places[place] as number
      places[place] = at + 1
      documents[at] = documentOf[i] as number
      levels[at] = levelOf[i] as number
    }
    return { keys: sorted, starts, documents, levels }
  }
}
