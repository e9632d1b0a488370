import { hashRun, hashWords } from './words.ts'

/** Passages of a sample: those with the least hashes. A shorter readme is never a copy. */
export const SAMPLE = 16

/** A readme's sample (server/docs/registry.md#near-copies). */
export interface Sample {
  /** The `SAMPLE` least passages, ascending; none if the readme has fewer. */
  readonly passages: readonly number[]
  /** How many distinct passages the readme has. */
  readonly count: number
}

/** Passages by which judged texts are looked up: one padded to six times its length has one of them but once in 100,000. */
const WIDE = 64

/** What is read of a new readme: its sample, which is kept, and its `WIDE` least passages. */
export interface ReadSample {
  readonly sample: Sample
  readonly wide: readonly number[]
}

export const emptySample: Sample = { passages: [], count: 0 }

/**
 * The distinct passages of a text, ascending: hashes of its runs of three words. The key belongs to the
 * database, so that nobody can tell which passages are in a sample and change those alone.
 */
export function passagesOf(text: string, key: number): Uint32Array {
  const words = hashWords(text, key)
  const runs = new Uint32Array(Math.max(0, words.length - 2))
  for (let i = 0; i < runs.length; i++) {
    runs[i] = hashRun(words[i] as number, words[i + 1] as number, words[i + 2] as number)
  }
  return runs.sort().filter((run, i) => run !== runs[i - 1])
}

/** Raise the layout of snapshots (snapshot/file.ts) when this gives other samples. */
export function readSample(readme: string, key: number): ReadSample {
  const all = passagesOf(readme, key)
  const wide = all.length < SAMPLE ? [] : [...all.subarray(0, WIDE)]
  return { sample: { passages: wide.slice(0, SAMPLE), count: all.length }, wide }
}

export const samplePassages = (readme: string, key: number): Sample =>
  readSample(readme, key).sample
