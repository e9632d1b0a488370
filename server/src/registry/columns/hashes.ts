import { hash } from 'node:crypto'

/**
 * Two words of 32 bits that stand for a text. They are a part of its SHA-256, so that nobody can
 * make up many texts that fall into one place, or a second text of the same words.
 */
export function hashText(text: string): [number, number] {
  const digest = hash('sha256', text, 'buffer')
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}

/** The finaliser of MurmurHash3. */
export function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Mixes the words of a random id into 32 bits. */
export const mixWords = (a: number, b: number, c: number, d: number): number =>
  mix(a ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x9e3779b1)) >>> 0
