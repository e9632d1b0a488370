import { LOWERED } from './characters.ts'

/** A word as bytes of UTF-8 that mean their lower case, and the hash of that. */
export interface HashedWord {
  text: Uint8Array
  /** Where it begins in `text`. */
  at: number
  /** In bytes. */
  length: number
  hash: number
}

/** Hashes are FNV-1a, 32 bits. */
const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 16777619

/** The hash of no words. */
export const NO_PHRASE = FNV_OFFSET

/** The hash of a word in lower case; `before` is that of what precedes `start`. */
export function hashBytes(
  text: Uint8Array,
  start: number,
  end: number,
  before = FNV_OFFSET,
): number {
  let hash = before
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (text[i] as number), FNV_PRIME)
  return hash
}

/** Makes bytes in lower case, or letters and digits in any, the word. */
export function setWord(word: HashedWord, text: Uint8Array, at: number, length: number): void {
  let hash = FNV_OFFSET
  for (let i = at; i < at + length; i++) {
    const c = text[i] as number
    const lower = c < 128 ? (LOWERED[c] as number) : c
    hash = Math.imul(hash ^ lower, FNV_PRIME)
  }
  word.text = text
  word.at = at
  word.length = length
  word.hash = hash
}

/** The hash of a phrase with one more word. */
export function extendPhrase(phrase: number, word: HashedWord): number {
  const hash = Math.imul(phrase ^ word.hash, FNV_PRIME)
  return hash ^ (hash >>> 15)
}
