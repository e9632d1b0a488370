/**
 * Posting lists by key (a stem or a word). A posting is a document and its level (an impact or a
 * set of fields). A list contains a document once. It is sorted by descending level, then by
 * document, so that a query can read only the levels within its budget.
 */

export const LEVELS = 8

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
