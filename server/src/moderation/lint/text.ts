import { findWords, type Words } from './words.ts'

/** A text as the rules see it, made once. */
export interface LintText {
  /** As a model reads it: lower case, disguises undone. It has as many lines as the original. */
  readonly text: string
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
  const places = (words: Words) => found[words] ?? []
  let fences: Fence[] | undefined
  return {
    text,
    places,
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

/** An odd number of backticks before an offset opens code that it is in. */
export const inBackticks = (text: string, at: number) =>
  lineBefore(text, at).split('`').length % 2 === 0

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

/** The block that an offset is in. */
export const fenceAt = (fences: readonly Fence[], at: number): Fence | undefined =>
  fences.find(({ start, end }) => start < at && at <= end)

/** The beginning of the line of an offset, at most so many characters. */
export const lineBefore = (text: string, at: number, most = 400): string =>
  text
    .slice(Math.max(0, at - most), at)
    .split('\n')
    .at(-1) ?? ''

/** The rest of the line of an offset, at most so many characters. */
export const lineAfter = (text: string, at: number, most = 1000): string =>
  text.slice(at, at + most).split('\n', 1)[0] ?? ''

/** How many lines end before an offset. */
export function countLines(text: string, end = text.length): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
