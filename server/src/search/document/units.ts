import {
  GAP,
  POSITIONED,
  REPEATED,
  type ReadSkill,
  SECTION,
  SECTION_END,
  SECTIONS,
} from './forward-index.ts'
import { grown } from './growth.ts'

/**
 * The codec of documents: units of two bytes. A word is one unit, or two from `FIRST_RARE` on, which are
 * rare since words are numbered as they come; high and low units make no other word, as in UTF-16. Then
 * there are repeats of the word before, and ends of sections.
 */

export const FIRST_RARE = 0xd000
const HIGH = 0xd000
const LOW = 0xe000
const LOW_BITS = 12
const LOW_MASK = 2 ** LOW_BITS - 1
const REPEAT = 0xf000

/** The unit that ends a section. */
export const END_UNIT = 0xffff
const MOST_REPEATS = END_UNIT - REPEAT - 1

/** The unit by which a word is known: its only one or its low one, which others may share. */
export const unitOf = (word: number): number =>
  word < FIRST_RARE ? word : LOW | ((word - FIRST_RARE) & LOW_MASK)

/** The rare word of two units. */
export const rareWord = (high: number, low: number): number =>
  FIRST_RARE + (((high - HIGH) << LOW_BITS) | (low & LOW_MASK))

/** How often the word before is repeated by this unit. */
export const repeatsOf = (unit: number): number =>
  unit > REPEAT && unit !== END_UNIT ? unit - REPEAT : 0

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

let buffer = new Uint16Array(8192)
let length = 0

/**
 * Packs a skill. In the head, stop words and fillers follow after all others, so that neighbours in the
 * units are neighbours in meaning; words without a position are sorted and counted.
 */
export function packDocument({ words, ends }: ReadSkill, lastFiller: number): Uint16Array {
  length = 0
  // two units a word, and in each section an end and a gap
  buffer = grown(buffer, 2 * ((ends.at(-1) ?? 0) + SECTIONS), Uint16Array)
  let from = 0
  for (let section = 0; section < SECTIONS; section++) {
    const own = words.subarray(from, ends[section])
    if (section >= POSITIONED) writeCounted(own.sort())
    else if (section >= SECTION.heading) for (const word of own) write(word)
    else writeHead(own, lastFiller)
    buffer[length++] = END_UNIT
    from = ends[section] as number
  }
  return buffer.slice(0, length)
}

function write(word: number): void {
  if (word >= FIRST_RARE) buffer[length++] = HIGH + ((word - FIRST_RARE) >>> LOW_BITS)
  buffer[length++] = unitOf(word)
}

function writeHead(words: Uint32Array, lastFiller: number): void {
  const isFiller = (word: number) => word !== GAP && word <= lastFiller
  for (const word of words) if (!isFiller(word)) write(word)
  if (!words.some(isFiller)) return
  write(GAP)
  for (const word of words) if (isFiller(word)) write(word)
}

/** Writes sorted words once each, with how often they repeat. */
function writeCounted(words: Uint32Array): void {
  for (let i = 0; i < words.length; ) {
    const word = words[i] as number
    const first = i
    while (words[i] === word) i++
    if (word === GAP) continue
    write(word)
    if (i - first > 1) buffer[length++] = REPEAT + Math.min(i - first - 1, MOST_REPEATS)
  }
}

/** Reads the first sections into `tokens`, which must be as long as the units; returns how many. */
export function readTokens(units: Uint16Array, tokens: Uint32Array, sections = SECTIONS): number {
  let count = 0
  let left: number = sections
  for (let i = 0; left > 0; i++) {
    const unit = units[i] as number
    if (unit < FIRST_RARE) tokens[count++] = unit
    else if (unit < REPEAT) tokens[count++] = rareWord(unit, units[++i] as number)
    else if (unit !== END_UNIT) tokens[count++] = REPEATED + repeatsOf(unit)
    else {
      tokens[count++] = SECTION_END
      left--
    }
  }
  return count
}
