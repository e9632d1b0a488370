import { createHash } from 'node:crypto'
import { passagesOf, SAMPLE } from './passages.ts'
import { hashWords, normalise } from './words.ts'

/**
 * What is kept of a text to know it again where it was changed: the sample of its passages, or its words
 * if it is too short for a sample. An empty one knows the same bytes alone.
 */
export type Fingerprint = readonly number[]

export const isSample = (print: Fingerprint): boolean => print.length === SAMPLE

/** The text by which a version is judged: its readme, or its description if it has none. */
export const judgedText = ({ readme, description }: { readme: string; description: string }) =>
  isBare(readme) ? description : readme

/** Whether a readme has nothing to be judged by. */
export const isBare = (readme: string): boolean => !/[\p{L}\p{N}]/u.test(readme)

/** Letters that a text must have to be told from others by them. */
const TELLING = 40

/** Longest text that is known by its letters, in UTF-16 units: a longer one has a sample of passages. */
const LONGEST = 4096

const lettersOf = (text: string) => normalise(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether a text is too short to say anything of whoever publishes it, as a heading alone. */
export const isAnyones = (text: string): boolean =>
  text.length <= LONGEST && lettersOf(text).length < TELLING

/** The digest of a short text's letters, which punctuation, case and markup do not change. */
export function lettersDigest(text: string): string | undefined {
  if (text.length > LONGEST || isAnyones(text)) return undefined
  return `letters:${createHash('sha256').update(lettersOf(text)).digest('hex')}`
}

/** The fingerprint of a text. */
export function fingerprintOf(text: string, key: number): Fingerprint {
  const passages = passagesOf(text, key)
  if (passages.length >= SAMPLE) return [...passages.subarray(0, SAMPLE)]
  const words = new Set(hashWords(text, key))
  // A list of this length would be taken for a sample.
  if (words.size === SAMPLE) words.add(0)
  return [...words]
}

/** How much two texts share, 0 to 1. */
export interface Shared {
  /** Share of the known text that the other one has. */
  readonly ofKnown: number
  /** Share of the other text that the known one has. */
  readonly ofText: number
}

/** How much a text shares with each of some known ones. */
export function sharesOf(text: string, known: readonly Fingerprint[], key: number): Shared[] {
  const passages = passagesOf(text, key)
  const [runs, words] = [new Set(passages), new Set(hashWords(text, key))]
  return known.map((print) => {
    if (print.length === 0) return { ofKnown: 0, ofText: 0 }
    const found = isSample(print) ? runs : words
    const ofKnown = print.filter((hash) => found.has(hash)).length / print.length
    // Beyond the greatest hash of the one sample, and of the other, they say nothing.
    const compared = isSample(print)
      ? [...passages.subarray(0, SAMPLE)].filter((hash) => hash <= (print.at(-1) ?? 0))
      : [...words]
    const shared = compared.filter((hash) => print.includes(hash)).length
    return { ofKnown, ofText: shared / Math.max(1, compared.length) }
  })
}
