import type { Random } from '../runtime/time.ts'

/** Consonants that spell no words and are not mistaken for one another (RFC 8628 §6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** A new user code without its dash: one of 20^8. */
export function makeUserCode(random: Random): string {
  let code = ''
  while (code.length < length) {
    for (const byte of random.bytes(length)) {
      // 240 is the largest multiple of 20 in a byte; what lies above would favour some letters.
      if (byte < 240 && code.length < length) code += letters[byte % letters.length]
    }
  }
  return code
}

/** A user code as people read it: `XXXX-XXXX`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** What a person typed as a code without its dash; only letters count, in any case and width. */
export function readUserCode(text: string): string | undefined {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(new RegExp(`[^${letters}]`, 'g'), '')
  return code.length === length ? code : undefined
}
