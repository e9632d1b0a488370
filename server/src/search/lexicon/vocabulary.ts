import { grown } from '../document/growth.ts'
import { MOST_WORDS } from '../document/units.ts'
import { hashOf } from '../text/hash.ts'
import { stemOf } from '../text/stem.ts'
import { FILLER_WORDS, STOP_WORDS } from '../text/stop-words.ts'

export interface SavedVocabulary {
  texts: readonly string[]
  stems: Uint32Array<ArrayBuffer>
  wordDf: Uint32Array<ArrayBuffer>
  stemDf: Uint32Array<ArrayBuffer>
}

/** A string of eight letters or so, with its places in a list and in a map. */
const BYTES_A_TEXT = 75

const FIRST_WORDS = [...STOP_WORDS, ...FILLER_WORDS]

/**
 * Distinct words and the texts of their stems, numbered from 1 as they come; 0 means none. Arrays are by
 * number and replaced when they grow, so read them afresh.
 */
export type Vocabulary = ReturnType<typeof createVocabulary>

/**
 * Makes a vocabulary of the words that skills hold before any other, or the saved one again.
 * Throws a RangeError when the saved one cannot be one of this program's.
 */
export function createVocabulary(saved?: SavedVocabulary) {
  const texts = ['']
  const numbers = new Map<string, number>()
  let stems = new Uint32Array(1024)
  let wordDf = new Uint32Array(1024)
  let stemDf = new Uint32Array(1024)
  let hashes = new Uint16Array(1024)
  /** By stem, the last of its words, and by word, the one before it. */
  let lastWord = new Uint32Array(1024)
  let wordBefore = new Uint32Array(1024)
  if (saved) restore(saved)
  // their stems come after them all
  else for (const word of FIRST_WORDS) add(word)
  for (const word of FIRST_WORDS) intern(word)
  return {
    get count() {
      return texts.length - 1
    },
    /** The first are the stop words up to the one, then the fillers up to the other. */
    lastStop: STOP_WORDS.length,
    lastFiller: FIRST_WORDS.length,
    /** By word, its stem; 0 for what is a stem alone. */
    get stems() {
      return stems
    },
    /** Live documents that hold a word, and those that hold any word of a stem. */
    get wordDf() {
      return wordDf
    },
    get stemDf() {
      return stemDf
    },
    /** Two bytes of the hash of a text, the same whatever came before. */
    get hashes() {
      return hashes
    },
    /** The number of a text in lower case, or 0. */
    find: (text: string) => numbers.get(text) ?? 0,
    intern,
    wordsOf,
    countUnused,
    text,
    /** About the memory held. */
    get bytes() {
      const columns = [stems, wordDf, stemDf, hashes, lastWord, wordBefore]
      return columns.reduce((sum, { byteLength }) => sum + byteLength, BYTES_A_TEXT * texts.length)
    },
    /** An exact copy. */
    save: () => ({
      texts: texts.slice(1),
      stems: stems.slice(0, texts.length),
      wordDf: wordDf.slice(0, texts.length),
      stemDf: stemDf.slice(0, texts.length),
    }),
  }

  function restore(saved: SavedVocabulary): void {
    const length = saved.texts.length + 1
    const { stems } = saved
    const isWhole = [stems, saved.wordDf, saved.stemDf].every((each) => each.length === length)
    const isOurs = FIRST_WORDS.every((word, i) => word === saved.texts[i])
    if (!isWhole || !isOurs || stems.some((stem) => stem >= length))
      throw new RangeError('the vocabulary is another one')
    for (const text of saved.texts) add(text)
    stems.forEach((stem, word) => {
      if (stem !== 0) join(word, stem)
    })
    wordDf = saved.wordDf
    stemDf = saved.stemDf
  }

  /** The number of a word, made if new; 0 once there are 16 million. */
  function intern(word: string): number {
    // what a line was cut into would keep all of the line in memory
    const number = numbers.get(word) ?? add(Buffer.from(word).toString())
    if (number === 0 || stems[number] !== 0) return number
    const stem = stemOf(text(number))
    join(number, numbers.get(stem) ?? add(stem))
    return number
  }

  function add(text: string): number {
    if (texts.length >= MOST_WORDS) return 0
    const number = texts.push(text) - 1
    numbers.set(text, number)
    stems = grown(stems, texts.length, Uint32Array)
    wordDf = grown(wordDf, texts.length, Uint32Array)
    stemDf = grown(stemDf, texts.length, Uint32Array)
    hashes = grown(hashes, texts.length, Uint16Array)
    lastWord = grown(lastWord, texts.length, Uint32Array)
    wordBefore = grown(wordBefore, texts.length, Uint32Array)
    const hash = hashOf(text)
    hashes[number] = hash ^ (hash >>> 16)
    return number
  }

  function join(word: number, stem: number): void {
    stems[word] = stem
    wordBefore[word] = lastWord[stem] as number
    lastWord[stem] = word
  }

  function text(number: number): string {
    return texts[number] ?? ''
  }

  /** All words of a stem. */
  function wordsOf(stem: number): number[] {
    const found: number[] = []
    for (let word = lastWord[stem] as number; word !== 0; word = wordBefore[word] as number) {
      found.push(word)
    }
    return found
  }

  /** How many no live document holds. */
  function countUnused(): number {
    let unused = 0
    for (let i = 1; i < texts.length; i++) if (wordDf[i] === 0 && stemDf[i] === 0) unused++
    return unused
  }
}
