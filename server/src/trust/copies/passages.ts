import { hashRun, hashWords } from './words.ts'

/** Number of passages in a sample. A readme with fewer passages is never a copy. */
export const SAMPLE = 16

/** A readme's sample (server/docs/registry.md#near-copies). */
export interface Sample {
  /** The `SAMPLE` smallest passages, ascending. Empty if the readme has fewer. */
  readonly passages: readonly number[]
  readonly count: number
}

/**
 * Number of passages with which judged texts are looked up. A judged text that was padded to six
 * times its length is missed once in 100,000 times.
 */
const LOOKUP = 64

/** The sample of a new readme, which is stored, and its `LOOKUP` smallest passages. */
export interface ReadSample {
  readonly sample: Sample
  readonly lookup: readonly number[]
}

export const emptySample: Sample = { passages: [], count: 0 }

/**
 * Returns the distinct passages of a text, ascending: keyed hashes of three consecutive words. The
 * key is secret, so that publishers cannot change only the sampled passages.
 */
export function passagesOf(text: string, key: number): Uint32Array {
  const words = hashWords(text, key)
  const runs = new Uint32Array(Math.max(0, words.length - 2))
  for (let i = 0; i < runs.length; i++) {
    runs[i] = hashRun(words[i] as number, words[i + 1] as number, words[i + 2] as number)
  }
  return runs.sort().filter((run, i) => run !== runs[i - 1])
}

/** Analyzes a readme. If the samples change, raise the layout version in snapshot/file.ts. */
export function readSample(readme: string, key: number): ReadSample {
  const all = passagesOf(readme, key)
  const lookup = all.length < SAMPLE ? [] : [...all.subarray(0, LOOKUP)]
  return { sample: { passages: lookup.slice(0, SAMPLE), count: all.length }, lookup }
}

export const samplePassages = (readme: string, key: number): Sample =>
  readSample(readme, key).sample
