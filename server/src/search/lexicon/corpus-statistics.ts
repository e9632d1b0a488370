import { ensureCapacity } from '../document/ensure-capacity.ts'
import { GAP, LENGTH_FIELDS, REPEATED, SECTION_END } from '../document/forward-index.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Sections whose adjacent words form pairs, by SECTION. */
const PAIRED = [1, 1, 0, 1, 0, 1, 1, 0, 0]

/** Counters of pairs, 512 kB. 2^20 counters rank no better at 80,000 skills. */
const PAIR_SLOTS = 2 ** 18
/** A full counter has lost its count and stays full. */
const FULL = 0xffff

/** Field weights, in the order of LENGTH. */
const FIELD_WEIGHT = [5, 1.5, 8, 0.5, 1, 1] as const

/** Strength of length normalization (BM25 b) per field, in the order of LENGTH. */
const FIELD_B = [0.5, 0.4, 0.2, 0.7, 0.75, 0.9] as const

/** Term frequency saturation (BM25 k1). Values from 1.2 to 2 rank about the same. */
export const K1 = 1.5

/** Exponent that flattens IDF, so that rare context words dominate less. */
const IDF_POWER = 0.9

/**
 * Skills without the word that are added to the catalogue size in IDF. Otherwise a word of the only
 * suitable skill in a catalogue of one to twenty would weigh less than an unknown word.
 */
const IDF_PRIOR_SKILLS = 5

const EXACT = 128
const GROWTH = 1.05

/** Lengths of the 256 codes: exact up to 127, then in steps of 5 %. */
const LENGTH_OF = Float64Array.from({ length: 256 }, (_, code) =>
  code < EXACT ? code : Math.round(EXACT * GROWTH ** (code - EXACT)),
)

export function lengthCode(length: number): number {
  if (length < EXACT) return length
  const code = EXACT + Math.round(Math.log(length / EXACT) / Math.log(GROWTH))
  return Math.min(code, 255)
}

/** Returns ln(1 + (N + prior - df + ½) / (df + ½)) for a word in `df` of N = `size` skills. */
export function idf(size: number, df: number): number {
  return Math.log(1 + Math.max(0, size + IDF_PRIOR_SKILLS - df + 0.5) / (df + 0.5))
}

/** Returns IDF to the power `IDF_POWER`, as used for words and stems. */
export const flatIdf = (size: number, df: number): number => idf(size, df) ** IDF_POWER

interface SavedStatistics {
  /** Counters of pairs by hash. */
  pairs: Uint16Array
  /** Per field: the total number of words, and the number of documents with at least one. */
  totals: number[]
  holders: number[]
}

type Numbers = Record<number, number>

/** Frequencies in a set of documents, by word, stem and pair. */
export interface Counts {
  readonly df: { readonly wordDf: Numbers; readonly stemDf: Numbers }
  readonly pairs: Numbers
  readonly totals: Float64Array
  readonly holders: Float64Array
  pairTotal: number
  /** Number of texts that a document contains as a word or as the stem of one. */
  texts: number
}

/** Returns the counts of no documents, with memory for their words alone. */
export function createCounts(): Counts {
  const [totals, holders] = [new Float64Array(LENGTH_FIELDS), new Float64Array(LENGTH_FIELDS)]
  return { df: { wordDf: {}, stemDf: {} }, pairs: {}, totals, holders, pairTotal: 0, texts: 0 }
}

export type CorpusStatistics = ReturnType<typeof createCorpusStatistics>

/**
 * Creates empty statistics, or restores saved ones: document frequencies of words, stems and pairs
 * of adjacent stems, and field lengths. Throws a RangeError if the saved ones have another size.
 */
export function createCorpusStatistics(vocabulary: Vocabulary, saved?: SavedStatistics) {
  const pairs = saved?.pairs ?? new Uint16Array(PAIR_SLOTS)
  if (pairs.length !== PAIR_SLOTS) throw new RangeError('the pair table has another size')
  const totals = Float64Array.from(saved?.totals ?? new Float64Array(LENGTH_FIELDS))
  const holders = Float64Array.from(saved?.holders ?? new Float64Array(LENGTH_FIELDS))
  const common: Counts = {
    ...{ df: vocabulary, pairs, totals, holders },
    pairTotal: pairs.reduce((sum, count) => sum + count, 0),
    texts: vocabulary.count - vocabulary.countUnused(),
  }
  /** Counts of the documents that the current query reads. */
  let sources: readonly Counts[] = [common]
  const normValues = new Float64Array(LENGTH_FIELDS * 256)
  let areNormsStale = true
  /** Number of the document that last contained the word or stem. */
  let wordSeen = new Uint32Array(1024)
  let stemSeen = new Uint32Array(1024)
  /** Counters of the current document's pairs. */
  const slots = new Set<number>()
  let document = 0
  const wordDf = (word: number) => sumOf(({ df }) => df.wordDf[word])
  const stemDf = (stem: number) => sumOf(({ df }) => df.stemDf[stem])
  return {
    /** Counts of the public documents. They are part of every query. */
    common,
    count,
    /** Sets the documents of a query by their counts. */
    read(counts: readonly Counts[]) {
      areNormsStale ||= counts.length > 1 || sources.length > 1
      sources = counts
    },
    /** Number of documents with a word, a stem or a pair. */
    wordDf,
    stemDf,
    pairDf,
    /** Returns the number of a text, or 0 if no document contains it and it is not built in. */
    find(text: string) {
      const found = vocabulary.find(text)
      return found <= vocabulary.lastFiller || wordDf(found) + stemDf(found) > 0 ? found : 0
    },
    /** Returns the stem of a word, and a text that is only a stem itself. */
    stemOf: (word: number) =>
      word <= vocabulary.lastFiller || wordDf(word) > 0 ? (vocabulary.stems[word] as number) : word,
    countTexts: () => sumOf(({ texts }) => texts),
    norms,
    save: () => ({ pairs: pairs.slice(), totals: [...totals], holders: [...holders] }),
  }

  function sumOf(part: (counts: Counts) => number | undefined): number {
    let sum = 0
    for (const counts of sources) sum += part(counts) ?? 0
    return sum
  }

  /** Adds (`sign` 1) or removes (-1) a document with its tokens and length codes in `counts`. */
  function count(
    tokens: Uint32Array,
    length: number,
    codes: Uint8Array,
    sign: 1 | -1,
    counts: Counts,
  ): void {
    const { stems } = vocabulary
    wordSeen = ensureCapacity(wordSeen, vocabulary.count + 1, Uint32Array)
    stemSeen = ensureCapacity(stemSeen, vocabulary.count + 1, Uint32Array)
    document++
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word >= REPEATED || word === GAP || wordSeen[word] === document) continue
      wordSeen[word] = document
      countText(counts, counts.df.wordDf, word, sign)
      const stem = stems[word] as number
      if (stemSeen[stem] === document) continue
      stemSeen[stem] = document
      countText(counts, counts.df.stemDf, stem, sign)
    }
    countPairs(tokens, length, sign, counts)
    countLengths(codes, sign, counts)
  }

  function countPairs(tokens: Uint32Array, length: number, sign: 1 | -1, counts: Counts): void {
    const { stems, lastFiller } = vocabulary
    slots.clear()
    let section = 0
    let previous = 0
    for (let i = 0; i < length; i++) {
      const word = tokens[i] as number
      if (word === SECTION_END) section++
      if (word === SECTION_END || word === GAP) previous = 0
      else if (PAIRED[section] === 1 && word > lastFiller) {
        const stem = stems[word] as number
        if (previous !== 0 && previous !== stem) slots.add(pairSlot(previous, stem))
        previous = stem
      }
    }
    for (const slot of slots) {
      const pairCount = counts.pairs[slot] ?? 0
      if (pairCount === FULL || pairCount + sign < 0) continue
      counts.pairs[slot] = pairCount + sign
      counts.pairTotal += sign
    }
  }

  /**
   * Returns the counter of a pair of stems, in either order. It hashes their texts, not their
   * numbers, so that the same pairs collide in every process.
   */
  function pairSlot(first: number, second: number): number {
    const { hashes } = vocabulary
    const a = hashes[first] as number
    const b = hashes[second] as number
    let hash = a < b ? (a << 16) | b : (b << 16) | a
    hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
    hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
    return (hash ^ (hash >>> 16)) & (PAIR_SLOTS - 1)
  }

  /**
   * Estimates the document frequency of two adjacent stems: their counter minus the average load of
   * other pairs, at most the frequency of either stem.
   */
  function pairDf(a: number, b: number): number {
    const slot = pairSlot(a, b)
    const counted = sumOf(({ pairs }) => pairs[slot])
    const pairTotal = sumOf((counts) => counts.pairTotal)
    const estimate = counted === 0 ? 0 : Math.max(1, counted - pairTotal / PAIR_SLOTS)
    return Math.min(estimate, stemDf(a), stemDf(b))
  }

  function countLengths(codes: Uint8Array, sign: 1 | -1, { totals, holders }: Counts): void {
    for (let field = 0; field < LENGTH_FIELDS; field++) {
      const code = codes[field] as number
      if (code === 0) continue
      totals[field] = (totals[field] as number) + sign * (LENGTH_OF[code] as number)
      holders[field] = (holders[field] as number) + sign
    }
    areNormsStale = true
  }

  /**
   * Returns 256 values per field: field weight / normalized length. Returns the same array each
   * time.
   */
  function norms(): Float64Array {
    if (!areNormsStale) return normValues
    areNormsStale = false
    for (let field = 0; field < LENGTH_FIELDS; field++) {
      const total = sumOf(({ totals }) => totals[field])
      const average =
        total /
          Math.max(
            1,
            sumOf(({ holders }) => holders[field]),
          ) || 1
      const weight = FIELD_WEIGHT[field] as number
      const b = FIELD_B[field] as number
      for (let code = 0; code < 256; code++) {
        const relative = (LENGTH_OF[code] as number) / average
        normValues[(field << 8) | code] = weight / (1 - b + b * relative)
      }
    }
    return normValues
  }
}

function countText(counts: Counts, column: Numbers, text: number, sign: 1 | -1): void {
  const { wordDf, stemDf } = counts.df
  const uses = (wordDf[text] ?? 0) + (stemDf[text] ?? 0)
  if (uses === (sign === 1 ? 0 : 1)) counts.texts += sign
  column[text] = (column[text] ?? 0) + sign
}
