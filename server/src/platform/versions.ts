/** The first versions that show the in-meeting indicator (OAuth spec §6). */
const firstVersions = { client: '5.6.7', meetingSdk: '5.9.0' } as const

/** Programs that have a version. */
export type VersionOf = keyof typeof firstVersions

/** Whether a meeting client or SDK of a version shows the in-meeting indicator. */
export const showsIndicator = (of: VersionOf, version: string): boolean =>
  compareVersions(version, firstVersions[of]) >= 0

/**
 * Compares versions by number, part by part: below zero where `a` is older. A part that is missing
 * counts as zero; a build behind a space does not count.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  const length = Math.max(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const partsOf = (version: string) => (version.split(' ')[0] ?? '').split('.').map(Number)
