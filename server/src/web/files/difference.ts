import { structuredPatch } from 'diff'

/** A run of lines in which two texts differ, with some that they share around it. */
export interface Hunk {
  /** `-12,3 +12,5`: where it stands in either text, as patches say it. */
  readonly place: string
  /** Lines behind `-`, `+` or a space. */
  readonly lines: readonly string[]
}

/** How long two texts are compared, ms, and how many lines may differ. */
const bounds = { timeout: 100, maxEditLength: 2000 } as const

/** What differs between two texts; undefined where that takes too long to find out. */
export function difference(before: string, after: string): Hunk[] | undefined {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, ...bounds })
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    place: `-${oldStart},${oldLines} +${newStart},${newLines}`,
    lines,
  }))
}
