/**
 * The forward index stores each document as tokens, section by section (`SECTION`). Exact scores,
 * pairs, explanations and merged postings are computed from it. units.ts packs it.
 */

export const SECTION = {
  name: 0,
  slug: 1,
  tags: 2,
  description: 3,
  /** Uses that the description excludes. Only search matches them. */
  aside: 4,
  heading: 5,
  /** Content words of the readme's text, in order. */
  text: 6,
  /**
   * Words of headings and text without a position: fillers, parts of camelCase words, and words
   * beyond the limits.
   */
  loose: 7,
  code: 8,
} as const

export const SECTIONS = 9

/** Sections before this one keep word order. Later ones have sorted words with frequencies. */
export const POSITIONED = SECTION.loose

/** Token that separates words of a section that are not adjacent. */
export const GAP = 0
/**
 * Base of a repeat token: the preceding word occurs `token - REPEATED` more times. Tokens stay
 * below 2^30, because V8 compares larger numbers as floating point.
 */
export const REPEATED = 0x20000000
export const SECTION_END = 0x3fffffff

export interface ReadSkill {
  /** Distinct lower-case words. The sections refer to their indexes; index 0 is unused. */
  words: readonly string[]
  /** Word indexes by `SECTION`, with `GAP` between words that are not adjacent. */
  sections: readonly (readonly number[])[]
  /** Field lengths by `LENGTH`, in words, including words that no section stores. */
  lengths: Uint32Array
  nameHash: number
  /** Prose share, from 1 to 255 (prose.ts). */
  prose: number
}
