/**
 * The forward index: a document as tokens, section after section (`SECTION`). Exact scores, pairs,
 * explanations and rebuilt postings are read from it; units.ts packs it.
 */

/** The sections of a document, in order. */
export const SECTION = {
  name: 0,
  slug: 1,
  tags: 2,
  description: 3,
  /** What the description says the skill is not for: found by search, no evidence for resolve. */
  aside: 4,
  heading: 5,
  /** Content words of the readme's text, in order. */
  text: 6,
  /** Words of headings and text without a position: fillers, parts of camelCase, what comes late. */
  loose: 7,
  code: 8,
} as const

export const SECTIONS = 9

/** Sections before this one keep the order of their words; later ones have sorted words with frequencies. */
export const POSITIONED = SECTION.loose

/** A token between words of a section that are no neighbours. */
export const GAP = 0
/**
 * A token of this and a number: the word before it occurs that much more often. Tokens stay below 2^30,
 * for V8 compares larger ones as floating point.
 */
export const REPEATED = 0x20000000
export const SECTION_END = 0x3fffffff

/** A skill read into numbers. */
export interface ReadSkill {
  /** Its distinct words in lower case, in the places by which the sections name them; the first is none. */
  words: readonly string[]
  /** Words by `SECTION`; `GAP` parts those that are no neighbours. */
  sections: readonly (readonly number[])[]
  /** Words by `LENGTH`, with those that are in no section. */
  lengths: Uint32Array
  /** Hash of the words of the name. */
  nameHash: number
  /** What its words count, from 1 to 255 (prose.ts). */
  prose: number
}
