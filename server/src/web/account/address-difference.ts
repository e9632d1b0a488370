import { codePointOf } from '@skillpass/contract'
import { markHidden } from '../readme/hidden.ts'

/** Where an address first differs from the registered one that is nearest to it. */
export interface Difference {
  registered: string
  /** Length of what both begin with. */
  same: number
}

/** Compares an address with the registered ones; nothing where there is none to compare with. */
export function findDifference(received: string, registered: string[]): Difference | undefined {
  return registered
    .map((one) => ({ registered: one, same: sameLength(received, one) }))
    .sort((a, b) => b.same - a.same)[0]
}

function sameLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  // Half of a character of two halves may be the same.
  return /[\udc00-\udfff]/.test(one[length] ?? '') ? length - 1 : length
}

/** A character with its number: it may be mistaken for another. */
export function nameCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'nothing more'
  const char = String.fromCodePoint(point)
  return `“${markHidden(char)}” (${codePointOf(char)})`
}
