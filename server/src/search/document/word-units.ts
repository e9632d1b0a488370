/**
 * The codec of words with positions: a unit of two bytes, or two units from `FIRST_RARE` on, which are
 * rare since words are numbered as they come. High and low units make no other word, as in UTF-16.
 */

export const FIRST_RARE = 0xd000
const HIGH = 0xd000
const LOW = 0xe000
const LOW_BITS = 12
const LOW_MASK = 2 ** LOW_BITS - 1

/** The unit that ends a section. */
export const END_UNIT = 0xffff

/** The unit by which a word is known: its only one or its low one, which others may share. */
export const unitOf = (word: number): number =>
  word < FIRST_RARE ? word : LOW | ((word - FIRST_RARE) & LOW_MASK)

/** The unit before the low one of a rare word. */
export const highUnit = (word: number): number => HIGH + ((word - FIRST_RARE) >>> LOW_BITS)

/** The rare word of two units. */
export const rareWord = (high: number, low: number): number =>
  FIRST_RARE + (((high - HIGH) << LOW_BITS) | (low & LOW_MASK))

/** How many of the units from `from` up to `end` begin a rare word. */
export function countRare(units: Uint16Array, from: number, end: number): number {
  let count = 0
  for (let i = from; i < end; i++) {
    const unit = units[i] as number
    if (unit >= HIGH && unit < LOW) count++
  }
  return count
}

/** A set of units: 1 for each that is in it, as a byte reads faster than a bit. */
export const createUnitSet = (): Uint8Array => new Uint8Array(2 ** 16)
