import { comparedText, hashRun, hashWords } from './words.ts'

/** Number of passages in a sample. A readme with fewer passages is never a copy. */
export const SAMPLE = 16

/** A readme's sample (server/docs/registry.md#near-copies). */
export interface Sample {
  /** The `SAMPLE` smallest passages, ascending. Empty if the readme has fewer. */
  readonly passages: readonly number[]
  readonly count: number
}

export const emptySample: Sample = { passages: [], count: 0 }

/**
 * Returns the distinct passages of a compared text, ascending: keyed hashes of three consecutive words. The
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
export function samplePassages(readme: string, key: number): Sample {
  const all = passagesOf(comparedText(readme), key)
  return { passages: all.length < SAMPLE ? [] : [...all.subarray(0, SAMPLE)], count: all.length }
}
