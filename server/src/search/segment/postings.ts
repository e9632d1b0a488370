/**
 * Lists of postings by key (a stem or a word). A posting is a document and its level (an impact, a
 * class of fields); a document is in a list once. In a list the highest level comes first, and equal ones
 * by document, so that a query can stop at the levels that it cannot afford.
 */

/** Levels are below this. */
export const LEVELS = 8

export interface PostingLists {
  /** Ascending. */
  readonly keys: Uint32Array
  /** By key where its list begins; one more for the end. */
  readonly starts: Uint32Array
  readonly documents: Uint16Array
  readonly levels: Uint8Array
}

/** Where a list is. */
export interface PostingList {
  start: number
  end: number
}

/** Sets `list` to the list of a key; false, with anything in `list`, if there is none. */
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

/** Adds to `counts`, from `at` on, how many documents each level of a list has. */
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

/** Adds to the sums of a list's documents the weights of their levels, which are in `weights` from `at` on. */
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

/** Where the level at `from` ends in a list that ends at `end`. */
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
