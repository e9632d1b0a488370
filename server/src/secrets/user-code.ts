import type { Random } from './random.ts'
import { randomText } from './secrets.ts'

/** Consonants that form no words and are hard to confuse (RFC 8628 §6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** Returns a random user code without its dash, one of 20^8. */
export const makeUserCode = (random: Pick<Random, 'bytes'>): string =>
  randomText(random, letters, length)

/** Formats a user code for display: `XXXX-XXXX`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalizes a typed user code: any case, any width, other characters ignored. */
export function readUserCode(text: string): string | undefined {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(new RegExp(`[^${letters}]`, 'g'), '')
  return code.length === length ? code : undefined
}
