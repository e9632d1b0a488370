/** Index of a list of words that a rule searches for. */
export type Words = number

const lists: string[][] = []

/**
 * Registers a list of words, separated by `|`, that every text is searched for. A trailing space
 * matches any white space. A word that starts with a letter matches only at the start of a word.
 */
export const anyOf = (words: string): Words => lists.push(words.split('|')) - 1

let finder: ReturnType<typeof createFinder> | undefined

/** Start and end of a part of a text. */
export type Range = readonly [start: number, end: number]

/** Returns the offsets of each list's words in parts of a lower-case text, in one pass. */
export function findWords(text: string, ranges: readonly Range[]): readonly (readonly number[])[] {
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
