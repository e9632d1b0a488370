import { K1, LENGTH, PROSE } from '../constants/constants.ts'
import { LEVELS } from './postings.ts'

/** The length that normalises a section's words, by SECTION; -1 where they are no evidence. */
const LENGTH_OF_SECTION: readonly number[] = [
  LENGTH.name,
  LENGTH.name,
  LENGTH.tags,
  LENGTH.description,
  -1,
  LENGTH.heading,
  LENGTH.text,
  LENGTH.text,
  LENGTH.code,
]

/** The share of its evidence that a document keeps: less where its words stand in lists (prose.ts). */
export const proseShare = (lengths: Uint8Array, at: number): number =>
  (lengths[at + PROSE] as number) / 255

/** What one occurrence adds to x in each section of a document, written into `values`. */
export function sectionValues(
  norms: Float64Array,
  lengths: Uint8Array,
  at: number,
  values: Float64Array,
): void {
  for (let section = 0; section < values.length; section++) {
    const field = LENGTH_OF_SECTION[section] as number
    values[section] =
      field < 0 ? 0 : (norms[(field << 8) | (lengths[at + field] as number)] as number)
  }
}

/** The saturated evidence of BM25, from 0 to 1. */
const saturate = (x: number): number => x / (x + K1)

/** The impact of a stem in a document: its evidence, and the share of that which counts, in equal steps. */
export const levelOf = (x: number, prose: number): number =>
  Math.min(LEVELS - 1, Math.floor(prose * saturate(x) * LEVELS))

/** The evidence an impact stands for: the middle of its step. */
export const impactValue = (level: number): number => (level + 0.5) / LEVELS
