/** Words that a rule looks for, by the number of their list. */
export type Words = number

const lists: string[][] = []

/**
 * Has every text searched for a list of words, separated by `|`. A space at the end is any white space; a word that
 * begins with a letter begins one in the text, too.
 */
export const anyOf = (words: string): Words => lists.push(words.split('|')) - 1

let finder: ReturnType<typeof createFinder> | undefined

/** Where a text in lower case has the words of each list, by one pass over it. */
export function findWords(text: string): readonly (readonly number[])[] {
  finder ??= createFinder()
  const { pattern, listsOf } = finder
  const places: number[][] = lists.map(() => [])
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index, 0: found } = match
    for (const list of listsOf.get(found.replace(/\s$/, ' ')) ?? []) places[list]?.push(index)
    pattern.lastIndex = index + 1
  }
  return places
}

/** A pattern of all words, the longest first, and the lists of each word and of those that it begins with. */
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

/** A text as a regular expression that finds it. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
