/**
 * Returns the first index from `low` to `high` that is not before the wanted place, by bisection.
 * Indexes before it must come first.
 */
export function lowerBound(
  low: number,
  high: number,
  isBefore: (index: number) => boolean,
): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}
