import type { HashedWord } from '../text/hashed-word.ts'
import { createScanner } from '../text/scanner.ts'
import { FILLER_WORDS, STOP_WORDS } from '../text/stop-words.ts'
import type { WordTable } from './word-table.ts'

/** The vocabulary as readers use it: words become their numbers in a table. */
export interface KnownWords {
  readonly count: number
  /** The first words of every table are the stop words up to the one, then the fillers up to the other. */
  readonly lastStop: number
  readonly lastFiller: number
  /** The number of a word, made if new; 0 once there are 16 million. */
  intern(word: HashedWord): number
  text(word: number): string
}

/**
 * The words of a table, which gets those that skills hold before any other. `onNew` is called for each that was not
 * there. Throws a RangeError when a table begins with others.
 */
export function createKnownWords(
  words: WordTable,
  onNew: (word: number, hash: number) => void = () => {},
): KnownWords {
  const scanner = createScanner()
  const first = new Set<string>()
  const lastStop = internFirst(STOP_WORDS)
  const lastFiller = internFirst(FILLER_WORDS)
  return {
    get count() {
      return words.count
    },
    lastStop,
    lastFiller,
    intern,
    text: words.text,
  }

  function internFirst(list: readonly string[]): number {
    for (const word of list) {
      first.add(word)
      scanner.load(word)
      if (intern(scanner) > first.size) throw new RangeError('the vocabulary has other first words')
    }
    return first.size
  }

  function intern(word: HashedWord): number {
    const known = words.count
    const number = words.add(word)
    if (number > known) onNew(number, word.hash)
    return number
  }
}
