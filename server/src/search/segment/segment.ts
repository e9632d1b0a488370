import type { PostingLists } from './postings.ts'

/** Maximum number of documents of a segment. Document numbers take two bytes. */
export const SEGMENT_DOCUMENTS = 65_536

/** Levels of the head postings: bits of the fields that contain the word. */
export const IN_NAME = 1
export const IN_DESCRIPTION = 2

/**
 * Immutable documents. Dead documents are marked in collection.ts and dropped by the next merge.
 */
export interface Segment {
  readonly documents: number
  readonly slots: Uint32Array
  /** Hashes of the whole names, for exact matches in search. */
  readonly nameHashes: Uint32Array
  /** `STATS_BYTES` bytes per document. */
  readonly lengths: Uint8Array
  /**
   * Document d is units[unitStarts[d]] up to, not including, units[unitStarts[d + 1]] (units.ts).
   */
  readonly unitStarts: Uint32Array
  readonly units: Uint16Array
  /** Postings by stem. The level is the impact (impact.ts). */
  readonly stems: PostingLists
  /**
   * Postings by word of name, slug and description. The level is `IN_NAME`, `IN_DESCRIPTION` or
   * both.
   */
  readonly heads: PostingLists
}

/** The arrays of a segment by name. */
export const arraysOf = ({ documents, stems, heads, ...columns }: Segment) => ({
  ...columns,
  stemKeys: stems.keys,
  stemStarts: stems.starts,
  stemDocuments: stems.documents,
  stemLevels: stems.levels,
  headKeys: heads.keys,
  headStarts: heads.starts,
  headDocuments: heads.documents,
  headLevels: heads.levels,
})
