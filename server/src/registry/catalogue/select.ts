/** Writes a key of each item, from -2^31 up to 2^31 - 1, at the item's place. */
export type WriteKeys = (items: Uint32Array, keys: Int32Array) => void

/**
 * What items are ordered by, the greatest key first: each kind of key tells apart what those before
 * it leave equal, and the last leaves none.
 */
export type SortKeys = readonly WriteKeys[]

/** Few enough to be sorted. */
const few = 32

/**
 * The items of the ranks from `start` up to, not including, `end`, in order. It takes time in
 * proportion to the number of items, wherever the page lies.
 */
export function selectPage(
  items: Uint32Array,
  start: number,
  end: number,
  ranking: SortKeys,
): number[] {
  const [first, ...others] = ranking
  if (start >= Math.min(end, items.length)) return []
  if (!first) return [...items.subarray(start, end)]
  return selectByKeys(items, keysOf(items, first), start, end, others)
}

/** Selects among items that come with their first keys; `ranking` tells apart those of the same key. */
export function selectByKeys(
  items: Uint32Array,
  keys: Int32Array,
  start: number,
  end: number,
  ranking: SortKeys,
): number[] {
  const last = Math.min(end, items.length)
  if (start >= last) return []
  if (items.length <= few) return sorted(items, keys, ranking).slice(start, last)
  const low = keyAtRank(keys, last - 1)
  const top = start === 0 ? aboveAll : keyAtRank(keys, start)
  const atTop: number[] = []
  const atLow = new Uint32Array(items.length)
  const between = new Uint32Array(last - start)
  const betweenKeys = new Int32Array(last - start)
  let [before, inside, lows] = [0, 0, 0]
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number
    if (key < low) continue
    const item = items[i] as number
    if (key === low) atLow[lows++] = item
    else if (key > top) before++
    else if (key === top) atTop.push(item)
    else {
      between[inside] = item
      betweenKeys[inside++] = key
    }
  }
  const page = selectPage(Uint32Array.from(atTop), start - before, last - before, ranking)
  for (const item of sorted(between.subarray(0, inside), betweenKeys, ranking)) page.push(item)
  const passed = before + atTop.length + inside
  const from = Math.max(0, start - passed)
  for (const item of selectPage(atLow.subarray(0, lows), from, last - passed, ranking))
    page.push(item)
  return page
}

const aboveAll = 2 ** 31

function sorted(items: Uint32Array, keys: Int32Array, ranking: SortKeys): number[] {
  if (items.length < 2) return [...items]
  const columns = [keys, ...ranking.map((write) => keysOf(items, write))]
  const places = Array.from(items.keys()).sort((a, b) => {
    for (const column of columns) {
      const difference = (column[b] as number) - (column[a] as number)
      if (difference !== 0) return difference
    }
    return 0
  })
  return places.map((place) => items[place] as number)
}

function keysOf(items: Uint32Array, write: WriteKeys): Int32Array {
  const keys = new Int32Array(items.length)
  write(items, keys)
  return keys
}

/** The key that would stand at a rank if all were sorted, the greatest first. */
const keyAtRank = (keys: Int32Array, rank: number): number =>
  (rank < highRank ? keyAtHighRank(keys, rank) : undefined) ?? keyAtAnyRank(keys, rank)

/** Ranks above which few keys are among the best so far when they are met. */
const highRank = 128

/** Moves of the best so far, for each key, after which keys that come worst first are suspected. */
const patience = 2

/** Keeps the best so far in order; gives up on keys that come the worst first. */
function keyAtHighRank(keys: Int32Array, rank: number): number | undefined {
  const best = new Int32Array(rank + 1).fill(lowest)
  let least = lowest
  let moves = patience * (keys.length + best.length)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number
    if (key <= least) continue
    let at = rank
    for (; at > 0 && key > (best[at - 1] as number); at--) best[at] = best[at - 1] as number
    best[at] = key
    least = best[rank] as number
    moves -= rank - at
    if (moves < 0) return undefined
  }
  return least
}

/** A key is looked at eleven bits at a time, the most significant first. */
const digitBits = 11
const digits = 1 << digitBits
const withDigit = new Uint32Array(digits)

/** Counts digit by digit how many keys have it, so that no order of them takes longer. */
function keyAtAnyRank(keys: Int32Array, rank: number): number {
  let left = rank
  /** The digits that are known. */
  let prefix = 0
  let mask = 0
  for (let shift = 2 * digitBits; shift >= 0; shift -= digitBits) {
    withDigit.fill(0)
    for (let i = 0; i < keys.length; i++) {
      const key = (keys[i] as number) ^ lowest
      if ((key & mask) !== prefix) continue
      const digit = (key >>> shift) & (digits - 1)
      withDigit[digit] = (withDigit[digit] as number) + 1
    }
    let digit = digits - 1
    while (left >= (withDigit[digit] as number)) left -= withDigit[digit--] as number
    prefix |= digit << shift
    mask |= (digits - 1) << shift
  }
  return prefix ^ lowest
}

/** The least key. Its bit turned over, keys below zero stand before the others. */
const lowest = -(2 ** 31)

/** Those of some numbers that are accepted. Much faster than the arrays' own `filter`. */
export function keep(numbers: Uint32Array, accepts: (number: number) => boolean): Uint32Array {
  const kept = new Uint32Array(numbers.length)
  let count = 0
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] as number
    if (accepts(number)) kept[count++] = number
  }
  return kept.subarray(0, count)
}
