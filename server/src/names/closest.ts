/** Characters of a name that are compared. */
const longest = 100

/**
 * Returns up to three of `names` that `given` may be a typo or a prefix of, closest first. Ignores
 * case.
 */
export function closestNames(given: string, names: Iterable<string>): string[] {
  const meant = given.toLowerCase().slice(0, longest)
  const most = Math.max(1, Math.floor(meant.length / 3))
  const near: { name: string; distance: number }[] = []
  for (const name of new Set(names)) {
    const other = name.toLowerCase().slice(0, longest)
    const distance =
      meant.length >= 2 && other.startsWith(meant) ? 1 : distanceOf(meant, other, most)
    if (distance <= most) near.push({ name, distance })
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return near.slice(0, 3).map(({ name }) => name)
}

/** Returns a sentence that suggests the closest names, or an empty string. */
export const didYouMean = (given: string, names: Iterable<string>): string => {
  const near = closestNames(given, names)
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
}

/**
 * Returns the optimal string alignment distance of two texts, or any larger number if it exceeds
 * `most`.
 */
export function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps.push((before[j - 2] ?? 0) + 1)
      }
      row.push(Math.min(...steps))
    }
    before = last
    last = row
  }
  return last[b.length] ?? most + 1
}
