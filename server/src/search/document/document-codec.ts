import { POSITIONED, SECTION_END, SECTIONS } from './forward-index.ts'
import { type CodecCursor, packFrequencies, readFrequencies } from './frequency-codec.ts'
import { END_UNIT, FIRST_RARE, highUnit, rareWord, unitOf } from './word-units.ts'

/**
 * The codec of documents: sections with positions in units of two bytes (word-units.ts), each ended by
 * `END_UNIT`, then the sections without positions in bytes (frequency-codec.ts).
 */

/** The bytes of units. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Packs tokens into `units`, which must hold two a token and as many more; gives how many. */
export function packTokens(tokens: Uint32Array, count: number, units: Uint16Array): number {
  let at = 0
  let i = 0
  for (let section = 0; section < POSITIONED; i++) {
    const token = tokens[i] as number
    if (token === SECTION_END) {
      units[at++] = END_UNIT
      section++
    } else if (token < FIRST_RARE) units[at++] = token
    else {
      units[at++] = highUnit(token)
      units[at++] = unitOf(token)
    }
  }
  const bytes = bytesOf(units)
  let end = 2 * at
  while (i < count) {
    const from = i
    while (tokens[i] !== SECTION_END) i++
    end = packFrequencies(tokens, from, i++, bytes, end)
  }
  // the last byte may be half a unit
  bytes[end] = 0
  return (end + 1) >>> 1
}

/** The most tokens that so many units can hold. */
export const mostTokens = (units: number): number => 4 * units

const cursor: CodecCursor = { at: 0, count: 0 }

/** Unpacks a document into `tokens`, which must hold `mostTokens`; gives how many. */
export function unpackTokens(units: Uint16Array, tokens: Uint32Array): number {
  cursor.count = unpackSections(units, 0, POSITIONED, tokens)
  cursor.at = 2 * endOfSections(units, 0, POSITIONED)
  const bytes = bytesOf(units)
  for (let section: number = POSITIONED; section < SECTIONS; section++) {
    readFrequencies(bytes, cursor, tokens)
    tokens[cursor.count++] = SECTION_END
  }
  return cursor.count
}

/** Unpacks the first sections with positions, from `start`; gives how many tokens. */
export function unpackSections(
  units: Uint16Array,
  start: number,
  sections: number,
  tokens: Uint32Array,
): number {
  let count = 0
  let left = sections
  for (let i = start; left > 0; i++) {
    const unit = units[i] as number
    if (unit < FIRST_RARE) tokens[count++] = unit
    else if (unit === END_UNIT) {
      tokens[count++] = SECTION_END
      left--
    } else tokens[count++] = rareWord(unit, units[++i] as number)
  }
  return count
}

/** Place of the unit after so many sections with positions. */
export function endOfSections(units: Uint16Array, start: number, sections: number): number {
  let at = start
  for (let left = sections; left > 0; at++) if (units[at] === END_UNIT) left--
  return at
}
