import type { ReadSkill } from './read-skill.ts'

/**
 * A document as numbers, section after section (`SECTION`): what exact scores, pairs, explanations
 * and rebuilt postings are read from. While it is worked on, each is a word, or one of those below;
 * as it is kept, the commonest words take one byte and most others two (`packTokens`).
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
/** Added to a number: the word before stands here that much more often. Only in loose and code. */
export const REPEATED = 0xf0000000
export const SECTION_END = 0xffffffff

/** Which vocabulary entries are fillers (up to the first) and which the commonest other words. */
export interface WordRanks {
  readonly lastFiller: number
  readonly lastCommon: number
}

/** The first bytes of what is kept; below `TWO_BYTES` they are the commonest words. */
export const TWO_BYTES = 176
export const THREE_BYTES = 251
const FOUR_BYTES = 252
const REPEATED_BYTE = 253
const GAP_BYTE = 254
export const END_BYTE = 255

/** Words that two bytes tell apart; the commonest are not among them. */
const IN_TWO = (THREE_BYTES - TWO_BYTES) << 8
const IN_THREE = IN_TWO + 65_536

const MOST_REPEATS = 255

/**
 * Writes what was read into `tokens`, which must hold a number a word and two a section; gives how
 * many. In the head, words up to `lastFiller` follow after the others, so that neighbours in the
 * numbers are neighbours in meaning.
 */
export function writeTokens(
  { words, ends }: ReadSkill,
  { lastFiller }: WordRanks,
  tokens: Uint32Array,
): number {
  let at = 0
  let from = 0
  for (let section = 0; section < SECTIONS; section++) {
    const end = ends[section] as number
    if (section >= SECTION.loose) at = writeCounted(words.subarray(from, end).sort(), tokens, at)
    else if (section >= SECTION.heading) {
      tokens.set(words.subarray(from, end), at)
      at += end - from
    } else at = writeHead(words, from, end, lastFiller, tokens, at)
    tokens[at++] = SECTION_END
    from = end
  }
  return at
}

function writeHead(
  words: Uint32Array,
  from: number,
  end: number,
  lastFiller: number,
  tokens: Uint32Array,
  start: number,
): number {
  let at = start
  let fillers = 0
  for (let i = from; i < end; i++) {
    const word = words[i] as number
    if (word !== GAP && word <= lastFiller) fillers++
    else tokens[at++] = word
  }
  if (fillers === 0) return at
  tokens[at++] = GAP
  for (let i = from; i < end; i++) {
    const word = words[i] as number
    if (word !== GAP && word <= lastFiller) tokens[at++] = word
  }
  return at
}

/** Sorted words once each, with how often they repeat. */
function writeCounted(words: Uint32Array, tokens: Uint32Array, start: number): number {
  let at = start
  for (let i = 0; i < words.length; ) {
    const word = words[i] as number
    const first = i
    while (i < words.length && words[i] === word) i++
    if (word === GAP) continue
    tokens[at++] = word
    if (i - first > 1) tokens[at++] = REPEATED + Math.min(i - first - 1, MOST_REPEATS)
  }
  return at
}

/** Packs tokens into `bytes`, which must hold four a token; gives how many. */
export function packTokens(
  tokens: Uint32Array,
  count: number,
  { lastFiller, lastCommon }: WordRanks,
  bytes: Uint8Array,
): number {
  let at = 0
  for (let i = 0; i < count; i++) {
    const token = tokens[i] as number
    if (token > lastFiller && token <= lastCommon) bytes[at++] = token - lastFiller - 1
    else if (token === GAP) bytes[at++] = GAP_BYTE
    else if (token === SECTION_END) bytes[at++] = END_BYTE
    else if (token >= REPEATED) {
      bytes[at++] = REPEATED_BYTE
      bytes[at++] = token - REPEATED
    } else at = packWord(token <= lastFiller ? token : token - lastCommon + lastFiller, bytes, at)
  }
  return at
}

/** Writes a word by its rank among those that are not the commonest. */
function packWord(rank: number, bytes: Uint8Array, start: number): number {
  let at = start
  if (rank < IN_TWO) {
    bytes[at++] = TWO_BYTES + (rank >>> 8)
  } else if (rank < IN_THREE) {
    bytes[at++] = THREE_BYTES
    bytes[at++] = (rank - IN_TWO) >>> 8
    bytes[at++] = (rank - IN_TWO) & 255
    return at
  } else {
    bytes[at++] = FOUR_BYTES
    bytes[at++] = rank >>> 16
    bytes[at++] = (rank >>> 8) & 255
  }
  bytes[at++] = rank & 255
  return at
}

/** Unpacks a document into `tokens`, which must hold one a byte; gives how many. */
export function unpackTokens(
  bytes: Uint8Array,
  start: number,
  end: number,
  ranks: WordRanks,
  tokens: Uint32Array,
): number {
  const { lastFiller, lastCommon } = ranks
  let count = 0
  for (let i = start; i < end; i++) {
    const first = bytes[i] as number
    if (first < TWO_BYTES) tokens[count++] = lastFiller + 1 + first
    else if (first < THREE_BYTES) {
      const rank = ((first - TWO_BYTES) << 8) | (bytes[++i] as number)
      tokens[count++] = rank <= lastFiller ? rank : rank + lastCommon - lastFiller
    } else if (first === END_BYTE) tokens[count++] = SECTION_END
    else if (first === GAP_BYTE) tokens[count++] = GAP
    else if (first === REPEATED_BYTE) tokens[count++] = REPEATED + (bytes[++i] as number)
    else {
      tokens[count++] = longWord(bytes, i, ranks)
      i += first === THREE_BYTES ? 2 : 3
    }
  }
  return count
}

/** The word that three or four bytes at `at` stand for; 0 when they are something else. */
export function longWord(
  bytes: Uint8Array,
  at: number,
  { lastFiller, lastCommon }: WordRanks,
): number {
  const low = ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number)
  const first = bytes[at]
  if (first === THREE_BYTES) return IN_TWO + low + lastCommon - lastFiller
  if (first !== FOUR_BYTES) return 0
  return ((low << 8) | (bytes[at + 3] as number)) + lastCommon - lastFiller
}

/** Bytes that the token at a byte from `THREE_BYTES` on takes. */
export const WIDTH = [3, 4, 2, 1, 1]

/** Where the section that begins at a token ends; a byte inside a token may look like an end. */
export function endOfSection(units: Uint8Array, start: number): number {
  let i = start
  for (;;) {
    const first = units[i] as number
    if (first === END_BYTE) return i
    if (first < TWO_BYTES) i++
    else i += first < THREE_BYTES ? 2 : (WIDTH[first - THREE_BYTES] as number)
  }
}
