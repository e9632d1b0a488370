import { MEASURES } from '../constants/constants.ts'
import { GAP, REPEATED, SECTION, SECTION_END, SECTIONS } from '../document/forward-index.ts'
import { grown } from '../document/growth.ts'
import { readTokens } from '../document/units.ts'
import { levelOf, proseShare, sectionValues } from './impact.ts'
import { createPostingsBuilder, type PostingsBuilder } from './postings-builder.ts'
import { IN_DESCRIPTION, IN_NAME, type Segment, sealSegment } from './segment.ts'

/** A document to put into a segment. */
export interface SourceDocument {
  slot: number
  nameHash: number
  /** `MEASURES` bytes. */
  lengths: Uint8Array
  /** The packed document (units.ts). */
  units: Uint16Array
}

/** What the impacts of a segment depend on besides its documents. */
export interface BuildBasis {
  /** By word, its stem. */
  stemOf: Uint32Array
  /** Numbers of the vocabulary, the unused first included. */
  entries: number
  /** Field weights over normalised lengths (length-norms.ts). */
  norms: Float64Array
}

/**
 * Builds a segment of at most `SEGMENT_DOCUMENTS` documents in steps of some milliseconds. The basis is
 * asked for at each step, since the vocabulary grows meanwhile.
 */
export type SegmentBuilder = (
  documents: readonly SourceDocument[],
  basis: () => BuildBasis,
) => Generator<void, Segment>

/** Documents read in one step. */
const STEP = 32

/** A builder that uses its arrays, which are as long as the vocabulary, again. */
export function createSegmentBuilder(): SegmentBuilder {
  const reader = createImpactReader()
  return (documents, basis) => build(documents, basis, reader)
}

function* build(
  documents: readonly SourceDocument[],
  basis: () => BuildBasis,
  reader: ReturnType<typeof createImpactReader>,
): Generator<void, Segment> {
  const count = documents.length
  const slots = new Uint32Array(count)
  const nameHashes = new Uint32Array(count)
  const lengths = new Uint8Array(count * MEASURES)
  const unitStarts = new Uint32Array(count + 1)
  documents.forEach(({ units }, number) => {
    unitStarts[number + 1] = (unitStarts[number] as number) + units.length
  })
  const units = new Uint16Array(unitStarts[count] as number)
  const { stemNumbers, headNumbers } = reader
  const stems = createPostingsBuilder(Math.ceil(units.length * STEMS_A_UNIT), stemNumbers)
  const heads = createPostingsBuilder(count * HEAD_WORDS, headNumbers)
  for (const [number, document] of documents.entries()) {
    slots[number] = document.slot
    nameHashes[number] = document.nameHash
    lengths.set(document.lengths, number * MEASURES)
    units.set(document.units, unitStarts[number] as number)
    reader.read(document, number, basis(), stems, heads)
    if (number % STEP === STEP - 1) yield
  }
  const parts = { slots, nameHashes, lengths, unitStarts, units }
  const lists = { stems: yield* stems.build(), heads: yield* heads.build() }
  return yield* sealSegment({ ...parts, ...lists })
}

/** Stems of a document for each of its units, and its words in name, slug and description: a bit above the mean. */
const STEMS_A_UNIT = 0.5
const HEAD_WORDS = 48

/** Turns the words of documents into postings: stems with impacts, head words with classes. */
function createImpactReader() {
  const values = new Float64Array(SECTIONS)
  /** By stem and by word of the document being read; zero in between. */
  let x = new Float32Array(1024)
  let classes = new Uint8Array(1024)
  /** By stem and by word: their numbers in the lists that are built; zero in between. */
  let stemNumbers = new Uint32Array(1024)
  let headNumbers = new Uint32Array(1024)
  let tokens = new Uint32Array(4096)
  let touched = new Uint32Array(4096)
  let headWords = new Uint32Array(4096)
  return { read, stemNumbers: () => stemNumbers, headNumbers: () => headNumbers }

  function read(
    { units, lengths }: SourceDocument,
    document: number,
    basis: BuildBasis,
    stems: PostingsBuilder,
    heads: PostingsBuilder,
  ): void {
    const { stemOf, entries } = basis
    sectionValues(basis.norms, lengths, 0, values)
    // lists of words have little impact, however often they say them
    const prose = proseShare(lengths, 0)
    x = grown(x, entries, Float32Array)
    classes = grown(classes, entries, Uint8Array)
    stemNumbers = grown(stemNumbers, entries, Uint32Array)
    headNumbers = grown(headNumbers, entries, Uint32Array)
    tokens = grown(tokens, units.length, Uint32Array)
    touched = grown(touched, units.length, Uint32Array)
    headWords = grown(headWords, units.length, Uint32Array)
    readTokens(units, tokens)
    let touchedCount = 0
    let headCount = 0
    let i = 0
    for (let section = 0; section < SECTIONS; section++, i++) {
      const from = i
      while (tokens[i] !== SECTION_END) i++
      if (section <= SECTION.aside && section !== SECTION.tags) {
        const field = section <= SECTION.slug ? IN_NAME : IN_DESCRIPTION
        headCount = noteHeads(from, i, field, headCount)
      }
      const value = values[section] as number
      if (value > 0) touchedCount = addEvidence(from, i, value, stemOf, touchedCount)
    }
    for (let i = 0; i < touchedCount; i++) {
      const stem = touched[i] as number
      stems.add(stem, document, levelOf(x[stem] as number, prose))
      x[stem] = 0
    }
    for (let i = 0; i < headCount; i++) {
      const word = headWords[i] as number
      heads.add(word, document, classes[word] as number)
      classes[word] = 0
    }
  }

  /** Notes which words of the head stand in a field; gives how many words were found by now. */
  function noteHeads(from: number, end: number, field: number, found: number): number {
    let count = found
    for (let i = from; i < end; i++) {
      const word = tokens[i] as number
      if (word === GAP) continue
      const before = classes[word] as number
      if (before === 0) headWords[count++] = word
      classes[word] = before | field
    }
    return count
  }

  /** Adds the evidence of a section's stems; gives how many stems were touched by now. */
  function addEvidence(
    from: number,
    end: number,
    value: number,
    stemOf: Uint32Array,
    found: number,
  ): number {
    let count = found
    let stem = 0
    for (let i = from; i < end; i++) {
      const word = tokens[i] as number
      if (word >= REPEATED) {
        x[stem] = (x[stem] as number) + (word - REPEATED) * value
        continue
      }
      if (word === GAP) continue
      stem = stemOf[word] as number
      const before = x[stem] as number
      if (before === 0) touched[count++] = stem
      x[stem] = before + value
    }
    return count
  }
}
