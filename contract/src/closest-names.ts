/** Number of compared characters. */
const maxLength = 100

/** Returns up to three names that `name` may be a typo or prefix of. Ignores case. */
export function closestNames(name: string, names: Iterable<string>): string[] {
  const typed = name.toLowerCase().slice(0, maxLength)
  const max = Math.max(1, Math.floor(typed.length / 3))
  const near: { name: string; distance: number }[] = []
  for (const candidate of new Set(names)) {
    const other = candidate.toLowerCase().slice(0, maxLength)
    const distance =
      typed.length >= 2 && other.startsWith(typed) ? 1 : distanceOf(typed, other, max)
    if (distance <= max) near.push({ name: candidate, distance })
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return near.slice(0, 3).map(({ name }) => name)
}

/** Returns a sentence that suggests the closest names, or an empty string. */
export const didYouMean = (name: string, names: Iterable<string>): string => {
  const near = closestNames(name, names)
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
}

/**
 * Whether two names differ only by case, by other characters than letters and digits, or by a
 * letter. Longer names than `maxLength` are no slips.
 */
export const isSlip = (name: string, known: string): boolean =>
  name.length <= maxLength && distanceOf(withoutMarks(name), withoutMarks(known), 1) <= 1

const withoutMarks = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Returns the optimal string alignment distance, or any number above `max`. */
export function distanceOf(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let previous: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps.push((previous[j - 2] ?? 0) + 1)
      }
      row.push(Math.min(...steps))
    }
    previous = last
    last = row
  }
  return last[b.length] ?? max + 1
}
