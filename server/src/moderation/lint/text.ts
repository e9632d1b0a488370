import { findWords, type Words } from './words.ts'

/** A text as the rules see it, made once. */
export interface LintText {
  /** As a model reads it: lower case, disguises undone. It has as many lines as the original. */
  readonly text: string
  /** Whether the text contains one of some words. */
  has(words: Words): boolean
  /** Where the text has one of some words, in order. */
  places(words: Words): readonly number[]
  /** The matches of a sticky pattern that begin with one of some words. */
  matches(starts: Words, pattern: RegExp): Iterable<RegExpExecArray>
  /** Whether an offset of `text` is in code, where a page shows what is written. */
  inCode(at: number): boolean
}

/** Finds the words of a plain text. */
export function searchable(text: string, isCode = false): LintText {
  const found = findWords(text)
  let fences: Fence[] | undefined
  return { text, has, places, matches, inCode }

  function has(words: Words): boolean {
    return found[words] !== undefined
  }

  function places(words: Words): readonly number[] {
    return found[words] ?? []
  }

  function* matches(starts: Words, pattern: RegExp): Generator<RegExpExecArray> {
    let end = 0
    for (const at of places(starts)) {
      if (at < end) continue
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (!match) continue
      end = pattern.lastIndex
      yield match
    }
  }

  function inCode(at: number): boolean {
    if (isCode) return true
    fences ??= fencesIn(text)
    return fenceAt(fences, at) !== undefined || inBackticks(text, at)
  }
}

/** An odd number of backticks before an offset opens code that it is in. */
export const inBackticks = (text: string, at: number) =>
  lineBefore(text, at).split('`').length % 2 === 0

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
