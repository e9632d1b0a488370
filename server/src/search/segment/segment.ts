import { type DocumentView, LENGTH_OF_SECTION, PROSE } from '../document/forward-index.ts'
import { K1 } from '../lexicon/corpus-statistics.ts'

/** Maximum number of documents of a segment. Document numbers take two bytes. */
export const SEGMENT_DOCUMENTS = 65_536

/** Levels of the head postings: bits of the fields that contain the word. */
export const IN_NAME = 1
export const IN_DESCRIPTION = 2

/** Immutable documents. The collection marks dead ones, and the next merge drops them. */
export interface Segment {
  readonly documents: number
  readonly slots: Uint32Array
  /** Hashes of the whole names, for exact matches in search. */
  readonly nameHashes: Uint32Array
  /** `STATS_BYTES` bytes per document. */
  readonly lengths: Uint8Array
  /** Document d is units[unitStarts[d]] up to, not including, units[unitStarts[d + 1]]. */
  readonly unitStarts: Uint32Array
  readonly units: Uint16Array
  /** Postings by stem. The level is the impact (`levelOf`). */
  readonly stems: PostingLists
  /**
   * Postings by word of name, slug and description. The level is `IN_NAME`, `IN_DESCRIPTION` or
   * both.
   */
  readonly heads: PostingLists
}

export const LEVELS = 8

/**
 * Posting lists by key (a stem or a word). A posting is a document and its level (an impact or a
 * set of fields). A list contains a document once. It is sorted by descending level, then by
 * document, so that a query can read only the levels within its budget.
 */
export interface PostingLists {
  /** Keys, ascending. */
  readonly keys: Uint32Array
  /** Start of each key's list, and the end of the last one. */
  readonly starts: Uint32Array
  readonly documents: Uint16Array
  readonly levels: Uint8Array
}

export interface PostingList {
  start: number
  end: number
}

/**
 * Sets `list` to the list of a key. Returns false, with undefined content in `list`, if the key is
 * missing.
 */
export function findList({ keys, starts }: PostingLists, key: number, list: PostingList): boolean {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as number) < key) low = middle + 1
    else high = middle
  }
  if (keys[low] !== key) return false
  list.start = starts[low] as number
  list.end = starts[low + 1] as number
  return true
}

/** Adds the number of documents at each level of a list to `counts`, from offset `at`. */
export function countLevels(
  { levels }: PostingLists,
  { start, end }: PostingList,
  counts: Uint32Array,
  at: number,
): void {
  for (let i = start; i < end; ) {
    const next = endOfLevel(levels, i, end)
    const place = at + (levels[i] as number)
    counts[place] = (counts[place] as number) + next - i
    i = next
  }
}

/** Adds the weight of its level, `weights[at + level]`, to the sum of each document of a list. */
export function addList(
  { documents, levels }: PostingLists,
  { start, end }: PostingList,
  weights: Uint16Array,
  at: number,
  sums: Uint16Array,
): void {
  for (let i = start; i < end; ) {
    const next = endOfLevel(levels, i, end)
    const weight = weights[at + (levels[i] as number)] as number
    if (weight > 0) {
      for (; i < next; i++) {
        const document = documents[i] as number
        sums[document] = (sums[document] as number) + weight
      }
    }
    i = next
  }
}

/** Returns the end of the level that begins at `from` in a list that ends at `end`. */
function endOfLevel(levels: Uint8Array, from: number, end: number): number {
  const level = levels[from] as number
  let low = from + 1
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (levels[middle] === level) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the prose share of a document (prose.ts), 0 to 1. */
export const proseShare = ({ lengths, lengthsAt }: DocumentView): number =>
  (lengths[lengthsAt + PROSE] as number) / 255

/** Writes the value of one occurrence in each section of a document into `values`. */
export function sectionValues(
  norms: Float64Array,
  { lengths, lengthsAt }: DocumentView,
  values: Float64Array,
): void {
  for (let section = 0; section < values.length; section++) {
    const field = LENGTH_OF_SECTION[section] as number
    const code = lengths[lengthsAt + field] as number
    values[section] = field < 0 ? 0 : (norms[(field << 8) | code] as number)
  }
}

/**
 * Returns the impact level of a stem in a document: its evidence, saturated as in BM25, times the
 * prose share, quantized.
 */
export const levelOf = (x: number, prose: number): number =>
  Math.min(LEVELS - 1, Math.floor(prose * (x / (x + K1)) * LEVELS))

/** Returns the middle of an impact level, 0 to 1. */
export const impactValue = (level: number): number => (level + 0.5) / LEVELS
