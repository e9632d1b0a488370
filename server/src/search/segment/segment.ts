import { createHash } from 'node:crypto'
import { bytesOf } from '../document/document-codec.ts'
import type { PostingLists } from './postings.ts'

/** Most documents of a segment: their numbers take two bytes. */
export const SEGMENT_DOCUMENTS = 65_536

/** Levels of the head lists: the fields that hold the word, added together. */
export const IN_NAME = 1
export const IN_DESCRIPTION = 2

/**
 * Documents that never change, in one buffer, which snapshots take as it is.
 * What dies in it is marked outside (collection.ts) and left out by the next merge.
 */
export interface Segment {
  /** Digest of all that follows in the buffer. */
  readonly id: string
  readonly buffer: ArrayBufferLike
  readonly documents: number
  /** By document: the skill's slot. */
  readonly slots: Uint32Array
  /** By document: hash of the whole name, for exact matches in search. */
  readonly nameHashes: Uint32Array
  /** `MEASURES` bytes a document. */
  readonly lengths: Uint8Array
  /** Document d (document-codec.ts) is units[unitStarts[d]] up to, not including, unitStarts[d + 1]. */
  readonly unitStarts: Uint32Array
  readonly units: Uint16Array
  /** The memory of `units`. */
  readonly bytes: Uint8Array
  /** Documents by stem; the level is the impact (impact.ts). */
  readonly stems: PostingLists
  /** Documents by word of name, slug and description; the level is `IN_NAME`, `IN_DESCRIPTION` or both. */
  readonly heads: PostingLists
}

/** The arrays of a segment before they lie in one buffer. */
export type SegmentParts = Omit<Segment, 'id' | 'buffer' | 'documents' | 'bytes'>

const FORMAT = 5
/** Format, number of documents, where each of the eleven arrays ends, and two for the id. */
const ARRAYS = 11
const HEADER = 2 + ARRAYS + 2
const ID_BYTES = 16

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
  parts.lengths,
  stems.bytes,
  heads.bytes,
]

/** Copies the parts into one buffer. */
export function sealSegment(parts: SegmentParts): Segment {
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
  const digest = createHash('sha256').update(new Uint8Array(header.buffer))
  let start = header.byteLength
  for (const array of arrays) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    new Uint8Array(buffer, start, array.byteLength).set(bytes)
    digest.update(bytes)
    start += array.byteLength
  }
  const id = digest.digest().subarray(0, ID_BYTES)
  new Uint8Array(buffer, header.byteLength - ID_BYTES, ID_BYTES).set(id)
  return openSegment(buffer)
}

/** Reads the layout of a sealed buffer. Throws a RangeError when it is none of this format. */
export function openSegment(buffer: ArrayBufferLike): Segment {
  const header = new Float64Array(buffer, 0, HEADER)
  if (header[0] !== FORMAT || header[1 + ARRAYS] !== buffer.byteLength) {
    throw new RangeError('this is no segment of the index, or of another format')
  }
  let next = 0
  const place = (size: number): [ArrayBufferLike, number, number] => {
    const start = next === 0 ? header.byteLength : (header[1 + next] as number)
    const end = header[2 + next] as number
    next++
    return [buffer, start, (end - start) / size]
  }
  const words = () => new Uint32Array(...place(4))
  const bytes = () => new Uint8Array(...place(1))
  const [slots, nameHashes, unitStarts] = [words(), words(), words()]
  const [stemKeys, stemStarts, headKeys, headStarts] = [words(), words(), words(), words()]
  const units = new Uint16Array(...place(2))
  const [lengths, stemBytes, headBytes] = [bytes(), bytes(), bytes()]
  const id = Buffer.from(new Uint8Array(buffer, header.byteLength - ID_BYTES, ID_BYTES))
  return {
    id: id.toString('hex'),
    buffer,
    documents: header[1] as number,
    slots,
    nameHashes,
    unitStarts,
    units,
    bytes: bytesOf(units),
    lengths,
    stems: { keys: stemKeys, starts: stemStarts, bytes: stemBytes },
    heads: { keys: headKeys, starts: headStarts, bytes: headBytes },
  }
}
