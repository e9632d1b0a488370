import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { mix } from '../columns/hashes.ts'
import { readLetters } from './read-letters.ts'

/**
 * A readme as a small sample of its passages, by which copies are told (docs/copies.md). Its letters,
 * without what parts them, are cut into chunks where three of them ask for it, so that nobody wins by
 * parting or joining words; a passage is a run of `RUN` chunks. Cuts and hashes are keyed, so that
 * nobody can tell which few passages of a text are in the sample and change those alone.
 */

/** Chunks of a passage. */
const RUN = 3

/** Passages of a sample: those with the least hashes. A readme with fewer is too short to be told. */
export const SAMPLE = 16

/** A readme's sample. */
export interface Sample {
  /**
   * The `SAMPLE` least hashes of its distinct passages, ascending and from 1 to below 2^32; none if it
   * has fewer.
   */
  readonly passages: Uint32Array
  /** About how many distinct passages it has. */
  readonly count: number
}

/**
 * Case, accents, punctuation, layout, markup, invisible characters and letters that look alike make no
 * difference, nor does a word that is said twice. A change of this asks for another layout of snapshots.
 * Times that were noted of a passage (times.ts) are not read anew: where it is cut otherwise, it counts
 * as old as its skill. When links and tags came to be read as CommonMark does, 44 readmes of 11,970
 * had other passages, about one in a hundred of theirs.
 */
export function samplePassages(readme: string, key: number): Sample {
  const counter = createCounter()
  const passages = leastPassages(readme, key, SAMPLE, counter.add)
  const isTold = passages.length === SAMPLE
  return { passages: isTold ? passages : new Uint32Array(), count: counter.count() }
}

/** Linear counting: how many of so many bits are set tells how many different hashes were added. */
const BITS = 2 ** 16
const bits = new Uint8Array(BITS)

function createCounter() {
  let free = BITS
  bits.fill(0)
  return {
    add(passage: number): void {
      const at = mix(passage) & (BITS - 1)
      free -= 1 - (bits[at] as number)
      bits[at] = 1
    },
    count: () => Math.round(-BITS * Math.log(Math.max(1, free) / BITS)),
  }
}

/** The least of a readme's distinct passages, ascending, `most` at most; `hear` is told of all. */
export function leastPassages(
  readme: string,
  key: number,
  most: number,
  hear?: (passage: number) => void,
): Uint32Array {
  const least = new Uint32Array(most)
  let count = 0
  let bound = 2 ** 32
  readPassages(readme, key, (passage) => {
    hear?.(passage)
    if (passage >= bound) return
    let at = count
    while (at > 0 && (least[at - 1] as number) > passage) at--
    if (at > 0 && least[at - 1] === passage) return
    if (count < most) count++
    least.copyWithin(at + 1, at, count - 1)
    least[at] = passage
    if (count === most) bound = least[most - 1] as number
  })
  return least.subarray(0, count)
}

/** Readmes from this length on, in UTF-16 units, are cut once: hostile ones of 256 KiB take some fifty milliseconds. */
const KEPT_FROM = 64 * 1024

/** The passages of long readmes that were cut lately, by digest and key. */
const kept = new LRUCache<string, Uint32Array>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ byteLength }) => byteLength + 200,
})

/**
 * Calls `take` with each passage of a readme, as often as it stands there. What is before the first cut
 * and after the last is left out: it would differ where the same stands within another text.
 */
export function readPassages(readme: string, key: number, take: (passage: number) => void): void {
  if (readme.length >= KEPT_FROM) for (const passage of keptPassages(readme, key)) take(passage)
  else cutPassages(readme, key, take)
}

function keptPassages(readme: string, key: number): Uint32Array {
  const digest = `${key} ${createHash('sha256').update(readme).digest('base64')}`
  const known = kept.get(digest)
  if (known) return known
  const cut: number[] = []
  cutPassages(readme, key, (passage) => cut.push(passage))
  const passages = Uint32Array.from(cut)
  kept.set(digest, passages)
  return passages
}

function cutPassages(readme: string, key: number, take: (passage: number) => void): void {
  const letters = readLetters(readme)
  let [chunk, window] = [0, 0]
  let chunks = -1
  let [first, second] = [0, 0]
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] as number
    chunk = (Math.imul(chunk ^ letter, 0x01000193) + 0x9e3779b9) | 0
    window = ((window << 7) ^ letter) & WINDOW
    const isCut = Math.imul(window ^ key, 0x9e3779b1) >>> 0 < CUT && i > 1
    if (!isCut && letter < FIRST_WITHOUT_BLANKS) continue
    if (++chunks >= RUN) {
      const run = Math.imul(Math.imul(first ^ key, 0x85ebca6b) + second, 0xc2b2ae35) + chunk
      take(mix(mix(run | 0) ^ key) >>> 0 || 1)
    }
    first = second
    second = chunk
    chunk = 0
  }
}

/** The last three letters, and the share of them after which a chunk ends: one in five. */
const WINDOW = 2 ** 21 - 1
const CUT = 2 ** 32 / 5

/** From here on most scripts are written without blanks, with few letters to a word. */
const FIRST_WITHOUT_BLANKS = 0x2e80
