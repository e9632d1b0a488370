/** What numbers are ordered by: numeric keys, one after the other, smallest first, then exactly. */
export interface Ranking {
  /** Each need only be the same or grow along the order, and says more than those before it. */
  readonly keys: readonly ((item: number) => number)[]
  compare(a: number, b: number): number
}

/** Few enough to be sorted. */
const few = 256

/**
 * The items of the ranks from `start` up to, not including, `end`, in order. It takes time in
 * proportion to the number of items, wherever the page lies.
 */
export function selectPage(
  items: Uint32Array,
  start: number,
  end: number,
  ranking: Ranking,
): number[] {
  const first = end <= few && items.length > few ? selectFirst(items, end, ranking) : undefined
  return first ? first.slice(start) : selectByKeys(items, start, end, ranking, 0)
}

/** Times that the best so far are sorted, after which items that come worst first are suspected. */
const patience = 24

/**
 * The first items, in one pass: an item that its keys put behind the last of the best so far is left
 * out at once. Gives up on items that come the worst first.
 */
function selectFirst(items: Uint32Array, end: number, ranking: Ranking): number[] | undefined {
  const [key, ...nextKeys] = ranking.keys
  if (!key) return undefined
  const best: number[] = []
  let sorts = 0
  let worst = Number.POSITIVE_INFINITY
  let nextWorst: number[] = []
  /** Whether an item of the same first key as the last of the best is known to stand behind it. */
  const isBehind = (item: number) => {
    for (let level = 0; level < nextKeys.length; level++) {
      const value = nextKeys[level]?.(item) ?? 0
      const least = nextWorst[level] ?? 0
      if (value !== least) return value > least
    }
    return false
  }
  // From behind, where what is newest is likelier.
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as number
    const value = key(item)
    if (value > worst || (value === worst && isBehind(item))) continue
    if (best.push(item) < 4 * end) continue
    if (++sorts > patience) return undefined
    best.sort(ranking.compare)
    best.length = end
    const last = best[end - 1] as number
    worst = key(last)
    nextWorst = nextKeys.map((nextKey) => nextKey(last))
  }
  return best.sort(ranking.compare).slice(0, end)
}

/** The same, wherever the page lies: what a key leaves equal is looked at by the next key. */
function selectByKeys(
  items: Uint32Array,
  start: number,
  end: number,
  ranking: Ranking,
  level: number,
): number[] {
  const last = Math.min(end, items.length)
  if (start >= last) return []
  const key = ranking.keys[level]
  if (key === undefined || items.length <= few) {
    return [...items].sort(ranking.compare).slice(start, last)
  }
  const { keys, parted } = scratchFor(items.length)
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let i = 0; i < items.length; i++) {
    const value = key(items[i] as number)
    keys[i] = value
    if (value < least) least = value
    if (value > most) most = value
  }
  if (least === most) return selectByKeys(items, start, last, ranking, level + 1)
  parted.set(keys)
  const low = start === 0 ? least : nthSmallest(parted, start, 0)
  const high = nthSmallest(parted, last - 1, start)
  const atLow = new Uint32Array(items.length)
  const atHigh = low === high ? atLow : new Uint32Array(items.length)
  const between: number[] = []
  let before = 0
  let lows = 0
  let highs = 0
  for (let i = 0; i < items.length; i++) {
    const value = keys[i] as number
    if (value > high) continue
    const item = items[i] as number
    if (value < low) before++
    else if (value === low) atLow[lows++] = item
    else if (value === high) atHigh[highs++] = item
    else between.push(item)
  }
  const first = selectByKeys(
    atLow.subarray(0, lows),
    start - before,
    last - before,
    ranking,
    level + 1,
  )
  if (low === high) return first
  const left = last - before - lows - between.length
  return [
    ...first,
    ...between.sort(ranking.compare),
    ...selectByKeys(atHigh.subarray(0, highs), 0, left, ranking, level + 1),
  ]
}

let scratch = new Float64Array(0)

/** Room for the keys and for parting them, which nobody needs once the next level begins. */
function scratchFor(length: number) {
  if (scratch.length < 2 * length) scratch = new Float64Array(Math.ceil(2.4 * length))
  return { keys: scratch.subarray(0, length), parted: scratch.subarray(length, 2 * length) }
}

/**
 * The value that would stand at `rank` if all were sorted. Parts `values` so that none before the
 * rank is greater and none after it less; those before `from` are known to stand right.
 */
function nthSmallest(values: Float64Array, rank: number, from: number): number {
  let [low, high] = [from, values.length - 1]
  while (low < high) {
    const pivot = medianOf(values, low, high)
    let [left, right] = [low - 1, high + 1]
    for (;;) {
      do left++
      while ((values[left] as number) < pivot)
      do right--
      while ((values[right] as number) > pivot)
      if (left >= right) break
      const value = values[left] as number
      values[left] = values[right] as number
      values[right] = value
    }
    if (rank <= right) high = right
    else low = right + 1
  }
  return values[rank] as number
}

/** The middle one of the first, the middle and the last but one, which never is the only greatest. */
function medianOf(values: Float64Array, low: number, high: number): number {
  const [a, b, c] = [
    values[low] as number,
    values[(low + high) >>> 1] as number,
    values[high - 1] as number,
  ]
  return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b
}
