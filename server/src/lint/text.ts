import { isWithin, type Range } from '../text/fences.ts'
import type { Reading } from '../text/markdown.ts'

/** Index of a list of words that a rule searches for. */
export type Words = number

const lists: string[][] = []

/**
 * Registers a list of words, separated by `|`, that every text is searched for. A trailing space
 * matches any white space. A word that starts with a letter matches only at the start of a word.
 */
export const anyOf = (words: string): Words => lists.push(words.split('|')) - 1

let finder: ReturnType<typeof createFinder> | undefined

/** Returns the offsets of each list's words in parts of a lower-case text, in one pass. */
function findWords(text: string, ranges: readonly Range[]): readonly (readonly number[])[] {
  finder ??= createFinder()
  const { pattern, listsOf } = finder
  const places: number[][] = []
  for (const [start, end] of ranges) {
    // The sign before the range tells whether a word starts in it.
    const from = Math.max(0, start - 1)
    const part = text.slice(from, end)
    pattern.lastIndex = start - from
    for (let match = pattern.exec(part); match; match = pattern.exec(part)) {
      const { index, 0: found } = match
      for (const list of listsOf.get(found.replace(/\s$/, ' ')) ?? []) {
        places[list] ??= []
        places[list].push(from + index)
      }
      pattern.lastIndex = index + 1
    }
  }
  return places
}

/** Builds a pattern of all words, longest first, and maps each word to its lists. */
function createFinder() {
  const words = [...new Set(lists.flat())].sort().reverse()
  const sources = words.map((word) => escaped(word).replace(/ $/, '\\s'))
  const [letters, signs] = [/^[a-z]/, /^[^a-z]/].map((start) =>
    sources.filter((source) => start.test(source)).join('|'),
  )
  const holds = (word: string) => (other: string) => word.startsWith(other)
  return {
    pattern: new RegExp(`(?<![a-z])(?:${letters})|${signs}`, 'g'),
    listsOf: new Map(
      words.map((word) => [
        word,
        [...lists.keys()].filter((list) => lists[list]?.some(holds(word))),
      ]),
    ),
  }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

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
  code: readonly Range[] = [],
  ranges: readonly Range[] = [[0, text.length]],
): LintText {
  const found = findWords(text, ranges)
  const places = (words: Words) => found[words] ?? []
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
    inCode: (at) => inBackticks(text, at) || code.some((block) => isWithin(block, at)),
  }
}

/** Returns where matches start that only the reading has: paragraphs with changes. */
export function changedRanges({ text, changes }: Reading): Range[] {
  const ranges: Range[] = []
  let done = 0
  for (const { at } of changes) {
    if (at < done) continue
    const end = text.indexOf('\n', at)
    const start = done + Math.max(0, text.slice(done, at).lastIndexOf('\n\n'))
    ranges.push([start, end < 0 ? text.length : end + 1])
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
