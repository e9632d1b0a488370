/**
 * The forward index stores each document as tokens, section by section (`SECTION`). Exact scores,
 * pairs, explanations and merged postings are computed from it.
 */

export const SECTION = {
  name: 0,
  slug: 1,
  tags: 2,
  description: 3,
  /** Uses that the description excludes. Only search matches them. */
  aside: 4,
  heading: 5,
  /** Content words of the readme's text, in order. */
  text: 6,
  /**
   * Words of headings and text without a position: fillers, parts of camelCase words, and words
   * beyond the limits.
   */
  loose: 7,
  code: 8,
} as const

export const SECTIONS = 9

/** Bits of the sections of the readme. */
export const README_BITS =
  (1 << SECTION.heading) | (1 << SECTION.text) | (1 << SECTION.loose) | (1 << SECTION.code)

/** Sections before this one keep word order. Later ones have sorted words with frequencies. */
const POSITIONED = SECTION.loose

/** Fields with length normalization. The slug counts with the name. */
export const LENGTH = { name: 0, tags: 1, description: 2, heading: 3, text: 4, code: 5 } as const

export const LENGTH_FIELDS = 6

/** Length field of each section, by SECTION. -1 if its words do not count as evidence. */
export const LENGTH_OF_SECTION: readonly number[] = [
  ...[LENGTH.name, LENGTH.name, LENGTH.tags, LENGTH.description, -1],
  ...[LENGTH.heading, LENGTH.text, LENGTH.text, LENGTH.code],
]

/** Bytes per document: a length code for each field, then the prose share (prose.ts). */
export const STATS_BYTES = 7

export const PROSE = 6

/** Token that separates words of a section that are not adjacent. */
export const GAP = 0
/**
 * Base of a repeat token: the preceding word occurs `token - REPEATED` more times. Tokens stay
 * below 2^30, because V8 compares larger numbers as floating point.
 */
export const REPEATED = 0x20000000
export const SECTION_END = 0x3fffffff

export interface ReadSkill {
  /** Distinct lower-case words. The sections refer to their indexes; index 0 is unused. */
  words: readonly string[]
  /** Word indexes by `SECTION`, with `GAP` between words that are not adjacent. */
  sections: readonly (readonly number[])[]
  /** Field lengths by `LENGTH`, in words, including words that no section stores. */
  lengths: Uint32Array
  nameHash: number
  /** Prose share, from 1 to 255 (prose.ts). */
  prose: number
}

/*
 * Documents are packed into two-byte units. A word takes one unit, or two from `FIRST_RARE` on,
 * encoded like a UTF-16 surrogate pair. Other units are repeats of the preceding word and section
 * ends. Words are numbered in order of appearance, so numbers from `FIRST_RARE` on are rare.
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

/** A document as an offset into shared arrays, which avoids allocating views. */
export interface DocumentView {
  readonly slot: number
  readonly nameHash: number
  /** The document is units[start] up to, not including, units[end]. */
  readonly units: Uint16Array
  readonly start: number
  readonly end: number
  /** `STATS_BYTES` bytes from `lengthsAt` on. */
  readonly lengths: Uint8Array
  readonly lengthsAt: number
}

/**
 * Unpacks the first sections into `tokens`, which must have room for all units. Returns the number
 * of tokens.
 */
export function readTokens(
  { units, start }: DocumentView,
  tokens: Uint32Array,
  sections = SECTIONS,
): number {
  let count = 0
  let left: number = sections
  for (let i = start; left > 0; i++) {
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
