import { COMMON_WORDS } from './common-words.ts'
import { grown } from './growth.ts'
import { stemOf } from './stem.ts'
import { FILLER_WORDS, STOP_WORDS } from './stop-words.ts'
import {
  createRecentWords,
  createScanner,
  type RecentWords,
  remember,
  type ScannedWord,
} from './tokens.ts'
import { createWordTable, type SavedWords } from './word-table.ts'

/**
 * Every distinct word, as numbers. An entry can be a word, a group (a stem that words share), or
 * both; 0 means none. Arrays are indexed by entry and replaced when they grow, so read them afresh.
 */
export interface Vocabulary {
  readonly count: number
  /** Entries up to these are the stop words, the fillers, then the commonest other words. */
  readonly lastStop: number
  readonly lastFiller: number
  readonly lastCommon: number
  /** The group of a word; 0 while an entry was only seen as a stem. */
  group: Uint32Array
  /** The first word of a group, and the next word of the same group. */
  firstWord: Uint32Array
  nextWord: Uint32Array
  /** Live documents that hold the word, and any word of the group. */
  wordDf: Uint32Array
  groupDf: Uint32Array
  /** For scanners whose words are interned here. */
  readonly recent: RecentWords
  /** The entry of a word, made if new; 0 once there are 16 million. */
  intern(word: ScannedWord): number
  /** The entry of a word as a word, or 0. */
  find(word: ScannedWord): number
  /** The group a word would belong to, or 0. */
  findGroup(word: string): number
  text(entry: number): string
  /** Memory held. */
  readonly bytes: number
  /** An exact copy of all words and their groups; who counts documents by words counts them again. */
  save(): SavedVocabulary
}

export interface SavedVocabulary {
  count: number
  sections: SavedWords & { group: Uint32Array }
}

/** The arrays of a vocabulary by entry. */
const COLUMNS = ['group', 'firstWord', 'nextWord', 'wordDf', 'groupDf'] as const

/**
 * Makes a vocabulary of the words that skills hold before any other, or the saved one again.
 * Throws a RangeError when the saved one cannot be one of this program's.
 */
export function createVocabulary(saved?: SavedVocabulary): Vocabulary {
  const words = createWordTable(saved?.sections)
  const own = createScanner()
  const vocabulary = {
    get count() {
      return words.count
    },
    lastStop: 0,
    lastFiller: 0,
    lastCommon: 0,
    group: new Uint32Array(0),
    firstWord: new Uint32Array(0),
    nextWord: new Uint32Array(0),
    wordDf: new Uint32Array(0),
    groupDf: new Uint32Array(0),
    recent: createRecentWords(),
    intern,
    find,
    findGroup,
    text: words.text,
    get bytes() {
      return COLUMNS.reduce((sum, column) => sum + vocabulary[column].byteLength, words.bytes)
    },
    save,
  }
  let shortest = 0
  // of different lengths, so that no two of them grow for the same word
  COLUMNS.forEach((column, i) => {
    vocabulary[column] = new Uint32Array(Math.max(500 + 20 * i, words.count + 1))
  })
  const first = new Set<string>()
  vocabulary.lastStop = internFirst(STOP_WORDS)
  vocabulary.lastFiller = internFirst(FILLER_WORDS)
  vocabulary.lastCommon = internFirst(COMMON_WORDS)
  if (saved !== undefined) restoreGroups(saved)
  // only now become words: their stems must not stand among them
  for (let entry = 1; entry <= vocabulary.lastCommon; entry++) {
    if (vocabulary.group[entry] === 0) joinGroup(entry)
  }
  return vocabulary

  function internFirst(list: readonly string[]): number {
    for (const word of list) {
      first.add(word)
      if (internText(word) > first.size)
        throw new RangeError('the vocabulary has other first words')
    }
    return first.size
  }

  function restoreGroups({ count, sections: { group } }: SavedVocabulary): void {
    if (words.count !== count || group.length !== count + 1) {
      throw new RangeError('the vocabulary is incomplete')
    }
    for (let entry = 1; entry <= count; entry++) {
      const of = group[entry] as number
      if (of > count) throw new RangeError('the vocabulary is damaged')
      if (of !== 0) link(entry, of)
    }
  }

  function intern(word: ScannedWord): number {
    const entry = entryOf(word)
    if (vocabulary.group[entry] === 0 && entry !== 0) joinGroup(entry)
    remember(vocabulary.recent, word, entry)
    return entry
  }

  function internText(word: string): number {
    own.load(word)
    return entryOf(own)
  }

  function entryOf(word: ScannedWord): number {
    const entry = words.add(word)
    if (entry >= shortest) reserve(entry + 1)
    return entry
  }

  function reserve(length: number): void {
    shortest = Number.POSITIVE_INFINITY
    for (const column of COLUMNS) {
      vocabulary[column] = grown(vocabulary[column], length, Uint32Array)
      shortest = Math.min(shortest, vocabulary[column].length)
    }
  }

  function joinGroup(word: number): void {
    const text = words.text(word)
    const stem = stemOf(text)
    link(word, (stem !== text && internText(stem)) || word)
  }

  function link(word: number, group: number): void {
    vocabulary.group[word] = group
    vocabulary.nextWord[word] = vocabulary.firstWord[group] as number
    vocabulary.firstWord[group] = word
  }

  function find(word: ScannedWord): number {
    const entry = words.find(word)
    return vocabulary.group[entry] === 0 ? 0 : entry
  }

  function findGroup(word: string): number {
    own.load(stemOf(word))
    return words.find(own)
  }

  function save(): SavedVocabulary {
    const { count } = words
    const group = vocabulary.group.slice(0, count + 1)
    return { count, sections: { ...words.save(), group } }
  }
}
