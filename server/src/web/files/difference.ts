import { structuredPatch } from 'diff'
import { markHidden } from '../readme/hidden.ts'

/** A run of lines in which two texts differ, with some that they share around it. */
export interface Hunk {
  /** `-12,3 +12,5`: where it stands in either text, as patches say it. */
  readonly place: string
  /** Lines behind `-`, `+` or a space. */
  readonly lines: readonly string[]
}

/** How long two texts are compared, ms, which is less than the thread may take, and how many lines may differ. */
const bounds = { timeout: 500, maxEditLength: 2000 } as const

/** What differs between two texts, hidden characters spelt out; null where that takes too long to find out. */
export function difference(before: string, after: string): Hunk[] | null {
  const texts = [markHidden(before), markHidden(after)] as const
  const patch = structuredPatch('', '', ...texts, '', '', { context: 3, ...bounds })
  if (!patch) return null
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    place: `-${oldStart},${oldLines} +${newStart},${newLines}`,
    lines,
  }))
}
