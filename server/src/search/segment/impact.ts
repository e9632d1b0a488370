import { K1, LENGTH, PROSE } from '../constants/constants.ts'
import { LEVELS } from './postings.ts'

/** Length field of each section, by SECTION. -1 if its words do not count as evidence. */
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

/** Returns the prose share of a document (prose.ts), 0 to 1. */
export const proseShare = (lengths: Uint8Array, at: number): number =>
  (lengths[at + PROSE] as number) / 255

/** Writes the value of one occurrence in each section of a document into `values`. */
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

/** Saturates term frequency as BM25 does, to a value from 0 to 1. */
const saturate = (x: number): number => x / (x + K1)

/**
 * Returns the impact level of a stem in a document: its saturated evidence times the prose share,
 * quantized.
 */
export const levelOf = (x: number, prose: number): number =>
  Math.min(LEVELS - 1, Math.floor(prose * saturate(x) * LEVELS))

/** Returns the middle of an impact level, 0 to 1. */
export const impactValue = (level: number): number => (level + 0.5) / LEVELS
