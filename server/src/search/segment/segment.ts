import type { PostingLists } from './postings.ts'

/** Most documents of a segment: their numbers take two bytes. */
export const SEGMENT_DOCUMENTS = 65_536

/** Levels of the head lists: the fields that hold the word, added together. */
export const IN_NAME = 1
export const IN_DESCRIPTION = 2

/** Columns of a segment by document. */
export interface SegmentParts {
  /** The skill's slot. */
  readonly slots: Uint32Array
  /** Hash of the whole name, for exact matches in search. */
  readonly nameHashes: Uint32Array
  /** `MEASURES` bytes a document. */
  readonly lengths: Uint8Array
  /** Document d (units.ts) is units[unitStarts[d]] up to, not including, unitStarts[d + 1]. */
  readonly unitStarts: Uint32Array
  readonly units: Uint16Array
  /** Documents by stem; the level is the impact (impact.ts). */
  readonly stems: PostingLists
  /** Documents by word of name, slug and description; the level is `IN_NAME`, `IN_DESCRIPTION` or both. */
  readonly heads: PostingLists
}

/**
 * Documents that never change, in one buffer, which snapshots take as it is. What dies in it is marked
 * outside (collection.ts) and left out by the next merge.
 */
export interface Segment extends SegmentParts {
  readonly buffer: ArrayBufferLike
  readonly documents: number
}

const FORMAT = 7
/** Format, number of documents, and where each of the arrays ends. */
const ARRAYS = 13
const HEADER = 2 + ARRAYS

/** The arrays in the order of the buffer: elements of four bytes, of two, of one. */
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

/** Copies the parts into one buffer, an array in each step. */
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

/** Reads the layout of a sealed buffer. Throws a RangeError when it is none of this format. */
export function openSegment(buffer: ArrayBufferLike): Segment {
  const header = new Float64Array(buffer, 0, HEADER)
  if (header[0] !== FORMAT || header[HEADER - 1] !== buffer.byteLength) {
    throw new RangeError('this is no segment of the index, or of another format')
  }
  let start = header.byteLength
  let next = 2
  const place = (size: number): [ArrayBufferLike, number, number] => {
    const from = start
    start = header[next++] as number
    return [buffer, from, (start - from) / size]
  }
  const words = () => new Uint32Array(...place(4))
  const shorts = () => new Uint16Array(...place(2))
  const bytes = () => new Uint8Array(...place(1))
  const [slots, nameHashes, unitStarts] = [words(), words(), words()]
  const [stems, heads] = [
    { keys: words(), starts: words() },
    { keys: words(), starts: words() },
  ]
  const [units, stemDocuments, headDocuments] = [shorts(), shorts(), shorts()]
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
