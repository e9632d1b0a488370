import { grown } from '../document/growth.ts'
import type { HashedWord } from '../text/hashed-word.ts'
import { createKnownWords, type KnownWords } from './known-words.ts'
import { createStems, groupIn, type SavedStems, type Stems, stemIn } from './stems.ts'
import { createWordTable, type SavedWords } from './word-table.ts'

/**
 * Every distinct word as a number, its entry; 0 means none. Arrays are indexed by entry and replaced
 * when they grow, so read them afresh.
 */
export interface Vocabulary extends KnownWords {
  /** By word, the live documents that hold it. */
  readonly wordDf: Uint32Array
  /** The stems of the words. */
  readonly stems: Stems
  /** Whether a word may have this hash. */
  mayHave(hash: number): boolean
  /** The entry of a word, or 0. */
  find(word: HashedWord): number
  /** The stem of a word: the entry of the first word that came with it. */
  stemOf(word: number): number
  /** The stem a word in lower case would have, or 0. */
  findStem(word: string): number
  /** Live documents that hold any word of the stem. */
  stemDf(stem: number): number
  /** All words of a stem. */
  wordsOf(stem: number): number[]
  /** How many words no live document holds. */
  countUnused(): number
  text(entry: number): string
  /** Memory held. */
  readonly bytes: number
  /** An exact copy. */
  save(): SavedVocabulary
}

export interface SavedVocabulary {
  words: SavedWords
  wordDf: Uint32Array
  stems: SavedStems
}

/**
 * Makes a vocabulary of the words that skills hold before any other, or the saved one again.
 * Throws a RangeError when the saved one cannot be one of this program's.
 */
export function createVocabulary(saved?: SavedVocabulary): Vocabulary {
  const words = createWordTable(saved?.words)
  const stems = createStems(words, saved?.stems)
  let wordDf = saved?.wordDf ?? new Uint32Array(600)
  if (saved && saved.wordDf.length <= words.count)
    throw new RangeError('the vocabulary is incomplete')
  const { lastStop, lastFiller, intern } = createKnownWords(words, (word, hash) => {
    wordDf = grown(wordDf, word + 1, Uint32Array)
    stems.add(word, hash, wordDf)
  })
  return {
    get count() {
      return words.count
    },
    lastStop,
    lastFiller,
    intern,
    get wordDf() {
      return wordDf
    },
    stems,
    mayHave: words.mayHave,
    find: words.find,
    stemOf: (word: number) => stemIn(stems.groups, word),
    findStem: stems.find,
    stemDf,
    wordsOf: stems.wordsOf,
    countUnused,
    text: words.text,
    get bytes() {
      return words.bytes + stems.bytes + wordDf.byteLength
    },
    save,
  }

  function stemDf(stem: number): number {
    const group = groupIn(stems.groups, stem)
    return (group === 0 ? wordDf[stem] : stems.groupDf[group]) as number
  }

  function countUnused(): number {
    let unused = 0
    for (let word = 1; word <= words.count; word++) if (wordDf[word] === 0) unused++
    return unused
  }

  function save(): SavedVocabulary {
    return { words: words.save(), wordDf: wordDf.slice(0, words.count + 1), stems: stems.save() }
  }
}
