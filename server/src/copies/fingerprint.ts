import { createHash } from 'node:crypto'
import { lowerBound } from '../runtime/lower-bound.ts'
import { readParts, type TextPart } from '../text/reading.ts'
import { comparedIn, comparedText, hashWords, passagesOf, sampleSize } from './passages.ts'

/**
 * A fingerprint that recognizes a text after changes: the sample of its passages, or the hashes of
 * its words if it is too short for a sample. An empty fingerprint matches nothing.
 */
export type Fingerprint = readonly number[]

export const isSample = (print: Fingerprint): boolean => print.length === sampleSize

/** Returns the text that identifies a version: its readme, or its description if that is empty. */
export const judgedText = ({ readme, description }: { readme: string; description: string }) =>
  isBare(readme) ? description : readme

/** Returns whether a readme has no letters or digits. */
export const isBare = (readme: string): boolean => !/[\p{L}\p{N}]/u.test(readme)

/** Minimum number of letters that identify a text. */
const minLetters = 40

/**
 * Maximum length of a text that its letters identify, in UTF-16 units. Longer texts have a sample.
 */
const maxLettersLength = 4096

/** Returns whether a text's letters identify it. */
export const isShort = (text: string): boolean => text.length <= maxLettersLength

const lettersOf = (text: string) => comparedText(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns whether a text is too short to identify its author, such as a single heading. */
export const isTooShort = (text: string): boolean =>
  isShort(text) && lettersOf(text).length < minLetters

/** Returns a digest of a short text's letters and digits, ignoring punctuation, case and markup. */
export function lettersDigest(text: string): string | undefined {
  const letters = isShort(text) ? lettersOf(text) : ''
  if (letters.length < minLetters) return undefined
  return `letters:${createHash('sha256').update(letters).digest('hex')}`
}

/** Sentences of common licences, whose paragraphs do not identify a text. */
const licence =
  /permission is hereby granted|above copyright notice|redistributions? (?:in|of)|provided [“"']*as is|without warrant|licensed under the|gnu (?:\w+ )?general public/

const ownWords = (text: string): string =>
  comparedText(text)
    .split('\n\n')
    .filter((paragraph) => !licence.test(paragraph.replace(/\s+/g, ' ')))
    .join('\n\n')

export function fingerprintOf(written: string, key: number): Fingerprint {
  const own = ownWords(written)
  const text = passagesOf(own, key).length < sampleSize ? comparedText(written) : own
  const passages = passagesOf(text, key)
  if (passages.length >= sampleSize) return [...passages.subarray(0, sampleSize)]
  const words = new Set(hashWords(text, key))
  // A list of this length would pass for a sample.
  if (words.size === sampleSize) words.add(0)
  return [...words]
}

/** Overlap of a known and another text, from 0 to 1. */
export interface Shared {
  /** Share of the known text that the other text contains. */
  readonly ofKnown: number
  /** Share of the other text that the known text contains. */
  readonly ofText: number
}

/** Returns a function that compares a text with the fingerprint of a known one. */
export function comparer(written: string, key: number) {
  const text = comparedText(written, 0)
  const passages = passagesOf(text, key)
  const [runs, words] = [new Set(passages), new Set(hashWords(text, key))]
  return (print: Fingerprint): Shared => {
    if (print.length === 0) return { ofKnown: 0, ofText: 0 }
    const shared = print.filter((hash) => (isSample(print) ? runs : words).has(hash)).length
    const ofKnown = shared / print.length
    if (!isSample(print)) return { ofKnown, ofText: shared / Math.max(1, words.size) }
    // A sample does not cover hashes above its maximum, so ignore those of the other text.
    const covered = passages.subarray(0, sampleSize).filter((hash) => hash <= (print.at(-1) ?? 0))
    const ofText = covered.filter((hash) => print.includes(hash)).length
    return { ofKnown, ofText: ofText / Math.max(1, covered.length) }
  }
}

/**
 * Numbers of passages of a part with which judged texts are looked up, and of smaller ones. A
 * version with many parts is looked up with the fewest.
 */
const lookups = { least: 64, most: 1024, below: 2 ** 29, parts: 64 } as const

export type Contents = ReturnType<typeof createContents>

/** Collects what a version contains, to find removed texts in any of its texts. */
export function createContents(key: number) {
  const parts: Uint32Array[] = []
  const digests: string[] = []
  const begin = (text: string) => void digests.push(lettersDigest(text) ?? '')
  const read = (part: TextPart) => void parts.push(passagesOf(comparedIn(part, 0), key))
  return {
    digests,
    begin,
    read,
    /** Adds a text in steps of a few milliseconds. */
    *add(text: string): Generator<void, void> {
      begin(text)
      for (const part of readParts(text)) yield read(part)
    },
    /** Returns the passages that find the samples of texts that the version contains. */
    lookup: () => {
      const most = parts.length > lookups.parts ? lookups.least : lookups.most
      return parts.flatMap((part) => [
        ...part
          .subarray(0, most)
          .filter((passage, at) => at < lookups.least || passage < lookups.below),
      ])
    },
    /** Returns the share of a sample that the version contains. */
    shareOf: (print: Fingerprint): number =>
      print.filter((passage) => parts.some((part) => holds(part, passage))).length /
      Math.max(1, print.length),
  }
}

/** Returns whether an ascending list contains a number. */
const holds = (list: Uint32Array, wanted: number): boolean =>
  list[lowerBound(0, list.length, (at) => (list[at] as number) < wanted)] === wanted
