/**
 * Lists of documents by key (a stem or a word), each split into runs of one level (an impact, a
 * class of fields): a document's level is the run it stands in, so a posting is a document alone.
 * A run's documents ascend and are written as gaps of one byte or numbers of two, whichever is
 * shorter.
 *
 * Run: one byte `level << 4 | form`, where form 0 to 12 is the number of documents less one, each in
 * two bytes; form 13 has the number less one in two bytes, then two bytes each; form 14 has the
 * number less one in two bytes, the length in three, then gaps of a byte, 255 meaning "255 further".
 */

export const LEVELS = 8

export const SHORT_RUN = 12
export const WIDE_RUN = 13
export const GAP_RUN = 14
export const FAR = 255

/** Keys ascending, where each key's runs begin, and the runs. */
export interface PostingLists {
  readonly keys: Uint32Array
  /** One more than there are keys: the last is the end. */
  readonly starts: Uint32Array
  readonly bytes: Uint8Array
}

/** The place of a key, or -1. */
export function findKey({ keys }: PostingLists, key: number): number {
  let low = 0
  let high = keys.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = keys[middle] as number
    if (found === key) return middle
    if (found < key) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** A run under the reader's eye: level, number of documents and where they are written. */
export interface Run {
  level: number
  count: number
  gaps: boolean
  start: number
  end: number
}

/** Reads the header of the run at `at` into `run`; the next run begins at `run.end`. */
export function readRun(bytes: Uint8Array, at: number, run: Run): void {
  const head = bytes[at] as number
  const form = head & 15
  run.level = head >>> 4
  run.gaps = form === GAP_RUN
  if (form <= SHORT_RUN) {
    run.count = form + 1
    run.start = at + 1
  } else {
    run.count = ((bytes[at + 1] as number) | ((bytes[at + 2] as number) << 8)) + 1
    run.start = at + 3
  }
  if (form === GAP_RUN) {
    const length =
      (bytes[at + 3] as number) |
      ((bytes[at + 4] as number) << 8) |
      ((bytes[at + 5] as number) << 16)
    run.start = at + 6
    run.end = run.start + length
  } else run.end = run.start + 2 * run.count
}

/** Adds `weight` to the sum of every document of the run. */
export function addRun(
  bytes: Uint8Array,
  { gaps, start, end }: Run,
  weight: number,
  sums: Uint16Array,
): void {
  if (gaps) {
    let document = 0
    for (let i = start; i < end; i++) {
      const gap = bytes[i] as number
      document += gap
      if (gap !== FAR) sums[document] = (sums[document] as number) + weight
    }
    return
  }
  for (let i = start; i < end; i += 2) {
    const document = (bytes[i] as number) | ((bytes[i + 1] as number) << 8)
    sums[document] = (sums[document] as number) + weight
  }
}

/** Writes the documents of a run into `documents` from 0; gives their number. */
export function readDocuments(
  bytes: Uint8Array,
  { gaps, start, end }: Run,
  documents: Uint16Array,
): number {
  let count = 0
  let document = 0
  if (gaps) {
    for (let i = start; i < end; i++) {
      const gap = bytes[i] as number
      document += gap
      if (gap !== FAR) documents[count++] = document
    }
    return count
  }
  for (let i = start; i < end; i += 2) {
    documents[count++] = (bytes[i] as number) | ((bytes[i + 1] as number) << 8)
  }
  return count
}
