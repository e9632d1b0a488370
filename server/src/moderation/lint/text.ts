import { type Fence, fenceAt, fencesIn } from '../../text/fences.ts'
import type { Reading } from '../../text/markdown.ts'
import { findWords, type Range, type Words } from './words.ts'

export interface LintText {
  /** A text in folded letters. See text/letters.ts. */
  readonly text: string
  places(words: Words): readonly number[]
  /** Number of places at which patterns are tried, which the time of the lint grows with. */
  readonly attempts: number
  /** Yields matches of a sticky pattern that start with one of some words. */
  matches(starts: Words, pattern: RegExp): Iterable<RegExpExecArray>
  /** Returns whether an offset of `text` is in code, which a page shows verbatim. */
  inCode(at: number): boolean
}

/** Prepares a text for the rules. Matches start in `ranges`. */
export function searchable(
  text: string,
  isCode = false,
  ranges: readonly Range[] = [[0, text.length]],
): LintText {
  const found = findWords(text, ranges)
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

/** Returns where matches start that only the reading has: lines with changes, and two before. */
export function changedRanges({ text, changes }: Reading): Range[] {
  const ranges: Range[] = []
  let done = 0
  for (const at of changes) {
    if (at < done) continue
    let start = at
    for (let line = 0; line < 3 && start > done; line++) start = text.lastIndexOf('\n', start - 1)
    const end = text.indexOf('\n', at)
    ranges.push([Math.max(done, start), end < 0 ? text.length : end + 1])
    done = ranges.at(-1)?.[1] ?? 0
  }
  return ranges
}

/** Returns whether an odd number of backticks precedes an offset on its line. */
export const inBackticks = (text: string, at: number) =>
  lineBefore(text, at).split('`').length % 2 === 0

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
