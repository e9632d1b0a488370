import { comparedParts, comparedText, hashRun, hashWords } from './words.ts'

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
export const samplePassages = (readme: string, key: number): Sample =>
  sampleOf(comparedText(readme), key)

/** Like `samplePassages`, in steps of a few milliseconds. */
export function* sampleInSteps(readme: string, key: number): Generator<void, Sample> {
  const parts: string[] = []
  for (const part of comparedParts(readme)) {
    parts.push(part)
    yield
  }
  return sampleOf(parts.join('\n'), key)
}

function sampleOf(compared: string, key: number): Sample {
  const all = passagesOf(compared, key)
  return { passages: all.length < SAMPLE ? [] : [...all.subarray(0, SAMPLE)], count: all.length }
}
