import { GAP, POSITIONED, REPEATED, SECTION, SECTION_END, SECTIONS } from './forward-index.ts'

/**
 * Packs documents into two-byte units. A word takes one unit, or two from `FIRST_RARE` on, encoded
 * like a UTF-16 surrogate pair. Other units are repeats of the preceding word and section ends.
 * Words are numbered in order of appearance, so numbers from `FIRST_RARE` on are rare.
 */

export const FIRST_RARE = 0xd000
const HIGH = 0xd000
const LOW = 0xe000
const LOW_BITS = 12
const LOW_MASK = 2 ** LOW_BITS - 1
export const MAX_WORD_NUMBER = FIRST_RARE + (LOW - HIGH) * 2 ** LOW_BITS - 1
const REPEAT = 0xf000

export const END_UNIT = 0xffff
const MAX_REPEATS = END_UNIT - REPEAT - 1

/** Returns the only or low unit of a word. Rare words can share a low unit. */
export const unitOf = (word: number): number =>
  word < FIRST_RARE ? word : LOW | ((word - FIRST_RARE) & LOW_MASK)

export const rareWord = (high: number, low: number): number =>
  FIRST_RARE + (((high - HIGH) << LOW_BITS) | (low & LOW_MASK))

/** Returns how often this unit repeats the preceding word. */
export const repeatsOf = (unit: number): number =>
  unit > REPEAT && unit !== END_UNIT ? unit - REPEAT : 0

/** Counts the rare words that begin from `from` up to `end`. */
export function countRare(units: Uint16Array, from: number, end: number): number {
  let count = 0
  for (let i = from; i < end; i++) {
    const unit = units[i] as number
    if (unit >= HIGH && unit < LOW) count++
  }
  return count
}

/**
 * Packs the words of a document, section by section. In the head, stop words and fillers follow all
 * other words, so that adjacent units are adjacent content words. Words without a position are
 * sorted and counted.
 */
export function packDocument(
  sections: readonly (readonly number[])[],
  lastFiller: number,
): Uint16Array {
  const units: number[] = []
  sections.forEach((words, section) => {
    if (section >= POSITIONED) writeCounted(units, words)
    else if (section >= SECTION.heading) for (const word of words) write(units, word)
    else writeHead(units, words, lastFiller)
    units.push(END_UNIT)
  })
  return Uint16Array.from(units)
}

function write(units: number[], word: number): void {
  if (word >= FIRST_RARE) units.push(HIGH + ((word - FIRST_RARE) >>> LOW_BITS))
  units.push(unitOf(word))
}

function writeHead(units: number[], words: readonly number[], lastFiller: number): void {
  const isFiller = (word: number) => word !== GAP && word <= lastFiller
  const fillers = words.filter(isFiller)
  for (const word of words) if (!isFiller(word)) write(units, word)
  if (fillers.length === 0) return
  write(units, GAP)
  for (const word of fillers) write(units, word)
}

/** Writes each word once, sorted, followed by its repeats. */
function writeCounted(units: number[], words: readonly number[]): void {
  const sorted = Uint32Array.from(words).sort()
  for (let i = 0; i < sorted.length; ) {
    const word = sorted[i] as number
    const first = i
    while (sorted[i] === word) i++
    if (word === GAP) continue
    write(units, word)
    if (i - first > 1) units.push(REPEAT + Math.min(i - first - 1, MAX_REPEATS))
  }
}

/**
 * Unpacks the first sections into `tokens`, which must be as long as `units`. Returns the number of
 * tokens.
 */
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
