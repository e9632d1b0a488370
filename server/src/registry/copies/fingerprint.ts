import { createHash } from 'node:crypto'
import { mix } from '../columns/hashes.ts'
import { leastPassages, readPassages, SAMPLE } from './passages.ts'
import { readLetters } from './read-letters.ts'

/**
 * What is kept of a text to know it again where it was changed: the sample of its passages, or all its
 * runs of `RUN` letters if it is too short for a sample. An empty one knows the same bytes alone.
 */
export type Fingerprint = readonly number[]

/** Letters of a run. */
const RUN = 5

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

/** Whether a text is too short to say anything of whoever publishes it, as a heading alone. */
export const isAnyones = (text: string): boolean =>
  text.length <= LONGEST && readLetters(text).length < TELLING

/** The digest of a short text's letters, which punctuation, case and markup do not change. */
export function lettersDigest(text: string): string | undefined {
  if (text.length > LONGEST || isAnyones(text)) return undefined
  return `letters:${createHash('sha256').update(readLetters(text)).digest('hex')}`
}

/** Runs of a fingerprint: a text of few passages has fewer, unless it was made up. */
const MOST_RUNS = 512

/** The fingerprint of a text. */
export function fingerprintOf(text: string, key: number): Fingerprint {
  const passages = leastPassages(text, key, SAMPLE)
  if (passages.length === SAMPLE) return [...passages]
  const runs = runsOf(text, key)
  // A list of this length would be taken for a sample.
  if (runs.size === SAMPLE) runs.add(0)
  return [...runs].slice(0, MOST_RUNS)
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
  const wanted = new Set(known.flat())
  const found = new Set<number>()
  const take = (hash: number) => {
    if (wanted.has(hash)) found.add(hash)
  }
  readPassages(text, key, take)
  const runs = known.every(isSample) ? new Set<number>() : runsOf(text, key)
  for (const run of runs) take(run)
  const least = leastPassages(text, key, SAMPLE)
  return known.map((print) => {
    if (print.length === 0) return { ofKnown: 0, ofText: 0 }
    const ofKnown = print.filter((hash) => found.has(hash)).length / print.length
    if (!isSample(print)) {
      const ofText = print.filter((hash) => runs.has(hash)).length / Math.max(1, runs.size)
      return { ofKnown, ofText }
    }
    // Beyond the least of both greatest hashes one sample says nothing.
    const reach = Math.min(print[SAMPLE - 1] ?? 0, least[SAMPLE - 1] ?? 2 ** 32)
    const within = [...least].filter((hash) => hash <= reach)
    const ofText = within.filter((hash) => print.includes(hash)).length / Math.max(1, within.length)
    return { ofKnown, ofText }
  })
}

/** The distinct runs of a text's letters; one that is shorter is one run. */
function runsOf(text: string, key: number): Set<number> {
  const letters = readLetters(text)
  const runs = new Set<number>()
  for (let end = Math.min(RUN, letters.length); end <= letters.length && end > 0; end++) {
    let run = key
    for (let i = Math.max(0, end - RUN); i < end; i++)
      run = mix(run ^ (letters[i] as number)) + i - end
    runs.add(mix(run) >>> 0 || 1)
  }
  return runs
}
