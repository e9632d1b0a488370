import type { ReadSkill } from './read-skill.ts'

/**
 * A document as 16-bit units, section after section (`SECTION`): what exact scores, pairs,
 * explanations and rebuilt postings are read from. Words below `WIDE` take one unit, others two.
 */

/** The sections of a document, in order. */
export const SECTION = {
  name: 0,
  slug: 1,
  tags: 2,
  description: 3,
  /** What the description says the skill is not for: found by search, no evidence for resolve. */
  aside: 4,
  heading: 5,
  /** Content words of the readme's text, in order. */
  text: 6,
  /** Fillers and parts of camelCase words in headings and text: counted, without a position. */
  loose: 7,
  code: 8,
} as const

export const SECTIONS = 9

/** Inside a section: the words before and after are no neighbours. */
export const GAP = 0
/** From here on the high bits of a word, added to this; its low 16 bits are the next unit. */
export const WIDE = 0xf000
/** From here on: the word before stands here this much more often. Only in loose and code. */
export const REPEAT = 0xff00
export const SECTION_END = 0xffff

const MOST_REPEATS = SECTION_END - 1 - REPEAT

/**
 * Packs what was read; `buffer` must hold two units a word, and two a section. In the head, words up to
 * `lastFiller` follow after the others, so that neighbours in the units are neighbours in meaning.
 */
export function packForward(
  { words, ends }: ReadSkill,
  lastFiller: number,
  buffer: Uint16Array,
): number {
  let at = 0
  let from = 0
  for (let section = 0; section < SECTIONS; section++) {
    const end = ends[section] as number
    if (section >= SECTION.loose) at = packCounted(words.subarray(from, end).sort(), buffer, at)
    else if (section >= SECTION.heading) {
      for (let i = from; i < end; i++) at = packWord(words[i] as number, buffer, at)
    } else at = packHead(words, from, end, lastFiller, buffer, at)
    buffer[at++] = SECTION_END
    from = end
  }
  return at
}

function packHead(
  words: Uint32Array,
  from: number,
  end: number,
  lastFiller: number,
  buffer: Uint16Array,
  start: number,
): number {
  let at = start
  let fillers = 0
  for (let i = from; i < end; i++) {
    const word = words[i] as number
    if (word !== GAP && word <= lastFiller) fillers++
    else at = packWord(word, buffer, at)
  }
  if (fillers === 0) return at
  buffer[at++] = GAP
  for (let i = from; i < end; i++) {
    const word = words[i] as number
    if (word !== GAP && word <= lastFiller) at = packWord(word, buffer, at)
  }
  return at
}

/** Sorted words once each, with how often they repeat. */
function packCounted(words: Uint32Array, buffer: Uint16Array, start: number): number {
  let at = start
  for (let i = 0; i < words.length; ) {
    const word = words[i] as number
    const first = i
    while (i < words.length && words[i] === word) i++
    if (word === GAP) continue
    at = packWord(word, buffer, at)
    if (i - first > 1) buffer[at++] = REPEAT + Math.min(i - first - 1, MOST_REPEATS)
  }
  return at
}

function packWord(word: number, buffer: Uint16Array, at: number): number {
  if (word < WIDE) {
    buffer[at] = word
    return at + 1
  }
  buffer[at] = WIDE + (word >>> 16)
  buffer[at + 1] = word & 0xffff
  return at + 2
}

/** Called for each word of a document with its section and how often it stands there. */
export type WordVisitor = (word: number, section: number, times: number) => void

/** Reads the words of a packed document in order; gaps are word 0. */
export function eachWord(units: Uint16Array, start: number, end: number, visit: WordVisitor): void {
  let section = 0
  for (let i = start; i < end; i++) {
    const unit = units[i] as number
    if (unit === SECTION_END) {
      section++
      continue
    }
    const word = unit < WIDE ? unit : ((unit - WIDE) << 16) | (units[++i] as number)
    let times = 1
    const next = units[i + 1] as number
    if (next >= REPEAT && next < SECTION_END) {
      times += next - REPEAT
      i++
    }
    visit(word, section, times)
  }
}
