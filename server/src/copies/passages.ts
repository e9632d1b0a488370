import type { Db } from '../db/open.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { firstVersionOf } from '../store/registry/versions.ts'
import { readParts, type TextPart } from '../text/reading.ts'

/** Number of passages in a sample. A readme with fewer passages is never a copy. */
export const sampleSize = 16

/** A readme's sample (server/docs/registry.md#near-copies). */
export interface Sample {
  /** The `sampleSize` smallest passages, ascending. Empty if the readme has fewer. */
  readonly passages: readonly number[]
  readonly count: number
}

export const emptySample: Sample = { passages: [], count: 0 }

/**
 * Returns the distinct passages of a compared text, ascending: keyed hashes of three consecutive
 * words. The key is secret, so that publishers cannot change only the sampled passages.
 */
export function passagesOf(text: string, key: number): Uint32Array {
  const words = hashWords(text, key)
  const runs = new Uint32Array(Math.max(0, words.length - 2))
  for (let i = 0; i < runs.length; i++) {
    runs[i] = hashRun(words[i] as number, words[i + 1] as number, words[i + 2] as number)
  }
  return runs.sort().filter((run, i) => run !== runs[i - 1])
}

/**
 * Analyzes a readme. If the samples change, raise the layout version in search/snapshot-file.ts.
 */
export const samplePassages = (readme: string, key: number): Sample =>
  sampleOf(passagesOf(comparedText(readme), key))

/** Like `samplePassages`, in steps of a few milliseconds. */
export function* sampleInSteps(readme: string, key: number): Generator<void, Sample> {
  return sampleOf(yield* readPassages(readme, key))
}

/** Returns the passages of a readme, in steps of a few milliseconds. */
export function* readPassages(readme: string, key: number): Generator<void, Uint32Array> {
  const reader = createPassageReader(key)
  for (const part of readParts(readme)) yield reader.read(part)
  return reader.passages()
}

/** Collects the passages of a readme while the lint reads it. */
export function createPassageReader(key: number) {
  const parts: string[] = []
  let passages: Uint32Array | undefined
  return {
    begin: () => {},
    read: (part: TextPart) => void parts.push(comparedIn(part)),
    /** Computes the passages on the first call. */
    passages: () => {
      passages ??= passagesOf(parts.join('\n'), key)
      return passages
    },
  }
}

export const sampleOf = (all: Uint32Array): Sample => ({
  passages: all.length < sampleSize ? [] : [...all.subarray(0, sampleSize)],
  count: all.length,
})

/** Length from which a hidden passage counts. Shorter ones could dilute a copy unseen. */
const minHidden = 80

/**
 * Returns the words that are compared: what a page shows of a text, then what it hides at length
 * from people but not from agents.
 */
export const comparedText = (text: string, least = minHidden): string =>
  Array.from(readParts(text), (part) => comparedIn(part, least)).join('\n')

/** Returns the words of a part of a text that are compared. */
export function comparedIn({ plain, reading }: TextPart, least = minHidden): string {
  const hidden = reading?.hidden.map(({ text }) => text) ?? []
  return [reading?.text ?? plain, ...hidden.filter(({ length }) => length >= least)].join('\n')
}

/** The finalizer of MurmurHash3. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * First code unit of scripts without spaces between words, where each character counts as a word.
 */
const firstWithoutBlanks = 0x2e80

/** Returns the keyed hashes of a compared text's words in order, without immediate repetitions. */
export function hashWords(text: string, key: number): number[] {
  const normal = text.replace(/[^\0-\x7f\p{L}\p{N}]+/gu, ' ')
  const words: number[] = []
  let [word, last] = [key, key]
  for (let i = 0; i <= normal.length; i++) {
    const code = i < normal.length ? normal.charCodeAt(i) : 0
    const isLetter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127
    if (isLetter) word = (Math.imul(word ^ code, 0x01000193) + 0x9e3779b9) | 0
    if ((isLetter && code < firstWithoutBlanks) || word === key) continue
    if (word !== last) words.push(mix(word))
    last = word
    word = key
  }
  return words
}

/** Returns a hash of three word hashes, from 1 to 2^31 − 1. */
const hashRun = (a: number, b: number, c: number): number =>
  mix(Math.imul(Math.imul(a, 0x85ebca6b) + b, 0xc2b2ae35) + c) >>> 1 || 1

/**
 * Times at which a skill first had its passages, in ms since 1970. An old skill that is edited into
 * a copy of a younger one counts as younger for these passages. Only passages added after the skill
 * was created are recorded, among the `recordedPassages` smallest, which can enter the sample
 * later.
 */
export type PassageTimes = ReadonlyMap<number, number>

const recordedPassages = 256

/** Parses the column `passage_times`, which is empty for a skill that was never changed. */
export function readTimes(text: string | null | undefined): PassageTimes | undefined {
  if (!text) return undefined
  const times = JSON.parse(text) as [number, number[]][]
  return new Map(times.flatMap(([time, passages]) => passages.map((each) => [each, time])))
}

function writeTimes(times: PassageTimes): string | null {
  if (times.size === 0) return null
  const passages = new Map<number, number[]>()
  for (const [passage, time] of times) {
    const others = passages.get(time)
    if (others) others.push(passage)
    else passages.set(time, [passage])
  }
  return JSON.stringify([...passages])
}

/**
 * Returns the `passageTimes` of a skill with a new version, from the passages of its readme and of
 * its previous version, undefined if the readme is the same. Call it before the new version is
 * stored.
 */
export async function timesAfter(
  trx: Db,
  before: SkillRecord,
  { digest, updatedAt }: Pick<SkillRecord, 'digest' | 'updatedAt'>,
  passages: { before: Uint32Array | undefined; now: () => Uint32Array },
): Promise<string | null> {
  const { id, createdAt } = before
  const known = readTimes(before.passageTimes)
  if (!passages.before) return before.passageTimes ?? null
  const recorded = new Set(passages.before.subarray(0, recordedPassages))
  const had = new Set(passages.before)
  // The times of other passages are unknown, so use that of the previous text.
  const since = (await firstVersionOf(trx, id, before.digest)) ?? before.updatedAt
  // A restored text keeps its original time.
  const added = (await firstVersionOf(trx, id, digest)) ?? updatedAt
  const times = new Map<number, number>()
  for (const passage of passages.now().subarray(0, recordedPassages)) {
    const was = recorded.has(passage) ? (known?.get(passage) ?? createdAt) : since
    const time = had.has(passage) ? Math.min(was, added) : added
    if (time > createdAt) times.set(passage, time)
  }
  return writeTimes(times)
}
