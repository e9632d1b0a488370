import { SECTION, SECTION_END } from './forward.ts'
import { SKETCH } from './segment.ts'

/**
 * A sketch of a document's text, by which near-copies are told: the least hash of its runs of three
 * words in each of `SKETCH` bins, one byte each (one-permutation MinHash). The share of equal bytes
 * estimates the share of runs that two documents have in common (Jaccard).
 */

/** Bytes of a sketch that must be equal in near-copies: a share of three quarters. */
const ALIKE = (SKETCH * 3) / 4

/** Fewer filled bins than this tell nothing. */
const LEAST_FILLED = 8

const EMPTY = 0

const least = new Uint32Array(SKETCH)

/** Writes the sketch of a document of so many tokens into `sketch`. */
export function sketchOf(tokens: Uint32Array, length: number, sketch: Uint8Array): void {
  least.fill(0xffffffff)
  let section = 0
  let one = 0
  let two = 0
  for (let i = 0; i < length && section <= SECTION.text; i++) {
    const word = tokens[i] as number
    if (word === SECTION_END) {
      section++
      continue
    }
    let hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(two ^ 0x5bd1e995, 0x85ebca6b)
    hash = Math.imul(hash ^ word ^ (hash >>> 15), 0xc2b2ae35)
    hash = (hash ^ (hash >>> 13)) >>> 0
    const bin = hash % SKETCH
    if (hash < (least[bin] as number)) least[bin] = hash
    one = two
    two = word
  }
  for (let bin = 0; bin < SKETCH; bin++) {
    const hash = least[bin] as number
    // the low bits chose the bin
    sketch[bin] = hash === 0xffffffff ? EMPTY : 1 + ((hash >>> 8) % 255)
  }
}

/** Whether two sketches, each from its place in an array, are of near-copies. */
export function alike(a: Uint8Array, atA: number, b: Uint8Array, atB: number): boolean {
  let different = 0
  let filled = 0
  for (let bin = 0; bin < SKETCH; bin++) {
    const one = a[atA + bin] as number
    const other = b[atB + bin] as number
    if (one === EMPTY && other === EMPTY) continue
    filled++
    if (one !== other && ++different > SKETCH - ALIKE) return false
  }
  return filled >= LEAST_FILLED && different <= filled * (1 - ALIKE / SKETCH)
}
