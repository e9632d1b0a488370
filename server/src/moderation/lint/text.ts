import { mayHideText } from './hidden-text.ts'
import { plainText } from './plain-text.ts'
import type { LintField } from './types.ts'

/** A text as the rules see it, made once. */
export interface LintText {
  readonly field: LintField
  readonly original: string
  /** As a model reads it: lower case, disguises undone. It has as many lines as the original. */
  readonly text: string
  /** Whether all of it is code, which no page renders. */
  readonly isCode: boolean
  /** Whether the original may contain characters that show nothing. */
  readonly mayHide: boolean
  /** Whether the text contains one of some words. */
  has(words: Words): boolean
  /** Whether an offset of `text` is in code, where a page shows what is written. */
  inCode(at: number): boolean
}

export function readText(field: LintField, original: string, isCode: boolean): LintText {
  const mayHide = mayHideText(original)
  const text = plainText(original, mayHide)
  let found: ReadonlySet<number> | undefined
  let fences: Fence[] | undefined
  return {
    field,
    original,
    text,
    isCode,
    mayHide,
    has(words) {
      found ??= wordsIn(text)
      for (const word of words) if (found.has(word)) return true
      return false
    },
    inCode(at) {
      if (isCode) return true
      fences ??= fencesIn(text)
      // An odd number of backticks before it opens code that it stands in.
      return fenceAt(fences, at) !== undefined || lineBefore(text, at).split('`').length % 2 === 0
    },
  }
}

/** Words that rules begin at, by their numbers. */
export type Words = readonly number[]

const words: { readonly word: string; readonly isSpaced: boolean }[] = []
/** The words that begin with two characters, by a hash of these. */
const byBeginning: (number[] | undefined)[] = new Array(0x10000)
const isBeginning = new Uint8Array(0x10000)
const hashOf = (first: number, second: number) => ((first << 8) ^ second) & 0xffff

/** Has every text searched for some words, separated by `|`; a space at the end is any white space. */
export const anyOf = (list: string): Words =>
  list.split('|').map((written) => {
    const word = written.trimEnd()
    const isSpaced = word !== written
    const known = words.findIndex((each) => each.word === word && each.isSpaced === isSpaced)
    if (known >= 0) return known
    const hash = hashOf(word.charCodeAt(0), word.charCodeAt(1))
    const number = words.push({ word, isSpaced }) - 1
    isBeginning[hash] = 1
    byBeginning[hash] = [...(byBeginning[hash] ?? []), number]
    return number
  })

const isLetter = (code: number) => code >= 97 && code <= 122

/** The words that a text contains, by one pass over it; one that begins with a letter begins a word there. */
function wordsIn(text: string): ReadonlySet<number> {
  const found = new Set<number>()
  let first = text.charCodeAt(0)
  for (let at = 1; at < text.length; at += 1) {
    const hash = hashOf(first, text.charCodeAt(at))
    const start = at - 1
    const isInWord =
      isBeginning[hash] === 1 && isLetter(first) && isLetter(text.charCodeAt(start - 1))
    first = text.charCodeAt(at)
    if (isBeginning[hash] === 0 || isInWord) continue
    for (const number of byBeginning[hash] ?? []) {
      const { word, isSpaced } = words[number] ?? { word: '', isSpaced: false }
      if (found.has(number) || !text.startsWith(word, start)) continue
      if (!isSpaced || /\s/.test(text.charAt(start + word.length))) found.add(number)
    }
  }
  return found
}

/**
 * Calls `act` with the matches of a global pattern, at most so many: a hostile text may have a hundred
 * thousand. `matchAll` would copy the pattern for each text, which costs more than the search.
 */
export function eachMatch(
  pattern: RegExp,
  text: string,
  act: (match: RegExpExecArray) => void,
  most = Number.POSITIVE_INFINITY,
): void {
  pattern.lastIndex = 0
  for (let count = 0; count < most; count += 1) {
    const match = pattern.exec(text)
    if (!match) return
    act(match)
  }
}

/** A fenced block of code, and what follows its opening marks, such as `bash`. */
export interface Fence {
  readonly start: number
  readonly end: number
  readonly info: string
}

const fence = /^[ \t>]{0,20}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,20}(`{3,20}|~{3,20})([^\n]*)/gm

/** The fenced blocks of a text, in their order; a block that is never closed goes on to the end. */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  if (!text.includes('```') && !text.includes('~~~')) return fences
  let open: { mark: string; start: number; info: string } | undefined
  eachMatch(fence, text, ({ index, 0: line, 1: mark = '', 2: info = '' }) => {
    if (!open) {
      if (mark[0] === '~' || !info.includes('`')) open = { mark, start: index, info: info.trim() }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push({ start: open.start, end: index + line.length, info: open.info })
      open = undefined
    }
  })
  if (open) fences.push({ start: open.start, end: text.length, info: open.info })
  return fences
}

/** The block that an offset is in. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | undefined {
  let [low, high] = [0, fences.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((fences[middle]?.start ?? at) < at) low = middle + 1
    else high = middle
  }
  const fence = fences[low - 1]
  return fence && at <= fence.end ? fence : undefined
}

/** The beginning of the line of an offset, at most so many characters. */
export function lineBefore(text: string, at: number, most = 400): string {
  const before = text.slice(Math.max(0, at - most), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

export function lineAfter(text: string, at: number, most = 1000): string {
  return text.slice(at, at + most).split('\n', 1)[0] ?? ''
}
