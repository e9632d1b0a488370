import type { PostingLists } from './postings.ts'

/** Maximum number of documents of a segment. Document numbers take two bytes. */
export const SEGMENT_DOCUMENTS = 65_536

/** Levels of the head postings: bits of the fields that contain the word. */
export const IN_NAME = 1
export const IN_DESCRIPTION = 2

export interface SegmentParts {
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

/**
 * Immutable documents in one buffer, which snapshots store as is. Dead documents are marked in
 * collection.ts and dropped by the next merge.
 */
export interface Segment extends SegmentParts {
  readonly buffer: ArrayBufferLike
  readonly documents: number
}

const FORMAT = 7
/** The header has the format, the number of documents, and the end of each array. */
const ARRAYS = 13
const HEADER = 2 + ARRAYS

/** Arrays in the order of the buffer: elements of four bytes, then two, then one. */
const arraysOf = ({ stems, heads, ...parts }: SegmentParts) => [
  parts.slots,
  parts.nameHashes,
  parts.unitStarts,
  stems.keys,
  stems.starts,
  heads.keys,
  heads.starts,
  parts.units,
  stems.documents,
  heads.documents,
  parts.lengths,
  stems.levels,
  heads.levels,
]

/** Copies the arrays into one buffer, one per step. */
export function* sealSegment(parts: SegmentParts): Generator<void, Segment> {
  const arrays = arraysOf(parts)
  const header = new Float64Array(HEADER)
  header[0] = FORMAT
  header[1] = parts.slots.length
  let end = header.byteLength
  arrays.forEach((array, i) => {
    end += array.byteLength
    header[2 + i] = end
  })
  const buffer = new ArrayBuffer(end)
  new Float64Array(buffer, 0, header.length).set(header)
  let start = header.byteLength
  for (const array of arrays) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    new Uint8Array(buffer, start, array.byteLength).set(bytes)
    start += array.byteLength
    yield
  }
  return openSegment(buffer)
}

/** Opens a sealed buffer. Throws a RangeError if it has another format. */
export function openSegment(buffer: ArrayBufferLike): Segment {
  const header = new Float64Array(buffer, 0, HEADER)
  if (header[0] !== FORMAT || header[HEADER - 1] !== buffer.byteLength) {
    throw new RangeError('the buffer is not a segment of this format')
  }
  let start = header.byteLength
  let next = 2
  const place = (size: number): [ArrayBufferLike, number, number] => {
    const from = start
    start = header[next++] as number
    return [buffer, from, (start - from) / size]
  }
  const words = () => new Uint32Array(...place(4))
  const uint16s = () => new Uint16Array(...place(2))
  const bytes = () => new Uint8Array(...place(1))
  const [slots, nameHashes, unitStarts] = [words(), words(), words()]
  const [stems, heads] = [
    { keys: words(), starts: words() },
    { keys: words(), starts: words() },
  ]
  const [units, stemDocuments, headDocuments] = [uint16s(), uint16s(), uint16s()]
  const [lengths, stemLevels, headLevels] = [bytes(), bytes(), bytes()]
  return {
    buffer,
    documents: header[1] as number,
    slots,
    nameHashes,
    unitStarts,
    units,
    lengths,
    stems: { ...stems, documents: stemDocuments, levels: stemLevels },
    heads: { ...heads, documents: headDocuments, levels: headLevels },
  }
}
