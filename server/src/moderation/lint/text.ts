import { findWords, type Words } from './words.ts'

export interface LintText {
  /** The text as a model reads it, with as many lines as the original. See `plainText`. */
  readonly text: string
  places(words: Words): readonly number[]
  /** Number of places at which patterns are tried, which the time of the lint grows with. */
  readonly attempts: number
  /** Yields matches of a sticky pattern that start with one of some words. */
  matches(starts: Words, pattern: RegExp): Iterable<RegExpExecArray>
  /** Returns whether an offset of `text` is in code, which a page shows verbatim. */
  inCode(at: number): boolean
}

export function searchable(text: string, isCode = false): LintText {
  const found = findWords(text)
  const places = (words: Words) => found[words] ?? []
  let fences: Fence[] | undefined
  return {
    text,
    places,
    attempts: found.reduce((sum, list) => sum + list.length, 0),
    *matches(starts, pattern) {
      let end = 0
      for (const at of places(starts)) {
        if (at < end) continue
        pattern.lastIndex = at
        const match = pattern.exec(text)
        if (!match) continue
        end = pattern.lastIndex
        yield match
      }
    },
    inCode(at) {
      if (isCode || inBackticks(text, at)) return true
      fences ??= fencesIn(text)
      return fenceAt(fences, at) !== undefined
    },
  }
}

/** Returns whether an odd number of backticks precedes an offset on its line. */
export const inBackticks = (text: string, at: number) =>
  lineBefore(text, at).split('`').length % 2 === 0

/** A fenced code block. `info` is the text after the opening fence, such as `bash`. */
export interface Fence {
  readonly start: number
  readonly end: number
  readonly info: string
}

/** The lookbehind comes after the rare characters, because a search that starts with it is slow. */
const fence = /(`{3,20}|~{3,20})(?<=^[ \t>]{0,20}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,20}\1)([^\n]*)/gm

/** Returns the fenced code blocks of a text, in order. An unclosed block extends to the end. */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  let open: { mark: string; start: number; info: string } | undefined
  for (const { index, 0: line, 1: mark = '', 2: info = '' } of text.matchAll(fence)) {
    if (!open) {
      if (mark[0] === '~' || !info.includes('`')) open = { mark, start: index, info: info.trim() }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push({ ...open, end: index + line.length })
      open = undefined
    }
  }
  if (open) fences.push({ ...open, end: text.length })
  return fences
}

/** Finds the block around an offset by bisection. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | undefined {
  let [low, high] = [0, fences.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fences[middle]?.end ?? 0) < at) low = middle + 1
    else high = middle
  }
  const fence = fences[low]
  return fence && fence.start < at ? fence : undefined
}

/** Returns the text before an offset on its line, at most `limit` characters. */
export const lineBefore = (text: string, at: number, limit = 400): string =>
  text
    .slice(Math.max(0, at - limit), at)
    .split('\n')
    .at(-1) ?? ''

/** Returns the text after an offset on its line, at most `limit` characters. */
export const lineAfter = (text: string, at: number, limit = 1000): string =>
  text.slice(at, at + limit).split('\n', 1)[0] ?? ''

export function countLines(text: string, end = text.length): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
