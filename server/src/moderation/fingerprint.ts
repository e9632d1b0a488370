import { createHash } from 'node:crypto'
import { passagesOf, SAMPLE } from '../trust/copies/passages.ts'
import { hashWords, normalize } from '../trust/copies/words.ts'

/**
 * A fingerprint that recognizes a text after changes: the sample of its passages, or the hashes of
 * its words if it is too short for a sample. An empty fingerprint matches nothing.
 */
export type Fingerprint = readonly number[]

export const isSample = (print: Fingerprint): boolean => print.length === SAMPLE

/** Returns the text that identifies a version: its readme, or its description if that is empty. */
export const judgedText = ({ readme, description }: { readme: string; description: string }) =>
  isBare(readme) ? description : readme

/** Returns whether a readme has no letters or digits. */
export const isBare = (readme: string): boolean => !/[\p{L}\p{N}]/u.test(readme)

/** Minimum number of letters that identify a text. */
const MIN_LETTERS = 40

/**
 * Maximum length of a text that its letters identify, in UTF-16 units. Longer texts have a sample.
 */
const MAX_LETTERS_LENGTH = 4096

const lettersOf = (text: string) => normalize(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns whether a text is too short to identify its author, such as a single heading. */
export const isTooShort = (text: string): boolean =>
  text.length <= MAX_LETTERS_LENGTH && lettersOf(text).length < MIN_LETTERS

/** Returns a digest of a short text's letters and digits, ignoring punctuation, case and markup. */
export function lettersDigest(text: string): string | undefined {
  if (text.length > MAX_LETTERS_LENGTH || isTooShort(text)) return undefined
  return `letters:${createHash('sha256').update(lettersOf(text)).digest('hex')}`
}

export function fingerprintOf(text: string, key: number): Fingerprint {
  const passages = passagesOf(text, key)
  if (passages.length >= SAMPLE) return [...passages.subarray(0, SAMPLE)]
  const words = new Set(hashWords(text, key))
  // A list of this length would pass for a sample.
  if (words.size === SAMPLE) words.add(0)
  return [...words]
}

/** Overlap of a known and another text, from 0 to 1. */
export interface Shared {
  /** Share of the known text that the other text contains. */
  readonly ofKnown: number
  /** Share of the other text that the known text contains. */
  readonly ofText: number
}

export function sharesOf(text: string, known: readonly Fingerprint[], key: number): Shared[] {
  const passages = passagesOf(text, key)
  const [runs, words] = [new Set(passages), new Set(hashWords(text, key))]
  return known.map((print) => {
    if (print.length === 0) return { ofKnown: 0, ofText: 0 }
    const found = isSample(print) ? runs : words
    const ofKnown = print.filter((hash) => found.has(hash)).length / print.length
    // A sample does not cover hashes above its maximum, so ignore those of the other text.
    const compared = isSample(print)
      ? [...passages.subarray(0, SAMPLE)].filter((hash) => hash <= (print.at(-1) ?? 0))
      : [...words]
    const shared = compared.filter((hash) => print.includes(hash)).length
    return { ofKnown, ofText: shared / Math.max(1, compared.length) }
  })
}
