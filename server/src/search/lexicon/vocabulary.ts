import { ensureCapacity } from '../document/ensure-capacity.ts'
import { MAX_WORD_NUMBER } from '../document/forward-index.ts'
import { stemOf } from '../text/stem.ts'
import { FILLER_WORDS, STOP_WORDS } from '../text/stop-words.ts'
import { hashOf } from '../text/words.ts'

interface SavedVocabulary {
  texts: readonly string[]
  stems: Uint32Array<ArrayBuffer>
  wordDf: Uint32Array<ArrayBuffer>
  stemDf: Uint32Array<ArrayBuffer>
}

const FIRST_WORDS = [...STOP_WORDS, ...FILLER_WORDS]

/**
 * Distinct words and stems, numbered from 1 in order of appearance. 0 means no word. The arrays are
 * replaced when they grow, so do not keep references to them.
 */
export type Vocabulary = ReturnType<typeof createVocabulary>

/**
 * Creates a vocabulary that begins with stop words and fillers, or restores a saved one. Throws a
 * RangeError if the saved one does not fit this program.
 */
export function createVocabulary(saved?: SavedVocabulary) {
  const texts = ['']
  const numbers = new Map<string, number>()
  /** Linked list of the words of each stem: its last word, and each word's predecessor. */
  let lastWordOfStem = new Uint32Array(1024)
  let previousWord = new Uint32Array(1024)
  /** Words that got their stem since `mark`. */
  let joined: number[] | undefined
  const vocabulary = {
    get count() {
      return texts.length - 1
    },
    /** Words up to `lastStop` are stop words, then up to `lastFiller` fillers. */
    lastStop: STOP_WORDS.length,
    lastFiller: FIRST_WORDS.length,
    /** Stem by word, 0 for texts that are only stems. */
    stems: new Uint32Array(1024),
    /** Document frequencies of words and of stems. */
    wordDf: new Uint32Array(1024),
    stemDf: new Uint32Array(1024),
    /** 16-bit hashes of the texts, the same in every process. */
    hashes: new Uint16Array(1024),
    find: (text: string) => numbers.get(text) ?? 0,
    intern,
    wordsOf,
    startingWith,
    countUnused,
    mark,
    text: (number: number) => texts[number] ?? '',
    save,
  }
  if (saved) restore(saved)
  // All stop words and fillers first, then their stems.
  else for (const word of FIRST_WORDS) add(word)
  for (const word of FIRST_WORDS) intern(word)
  return vocabulary

  function save(): SavedVocabulary {
    const { stems, wordDf, stemDf } = vocabulary
    const { length } = texts
    return {
      texts: texts.slice(1),
      stems: stems.slice(0, length),
      wordDf: wordDf.slice(0, length),
      stemDf: stemDf.slice(0, length),
    }
  }

  function restore(saved: SavedVocabulary): void {
    const length = saved.texts.length + 1
    const { stems } = saved
    const isWhole = [stems, saved.wordDf, saved.stemDf].every((each) => each.length === length)
    const isOurs = FIRST_WORDS.every((word, i) => word === saved.texts[i])
    if (!isWhole || !isOurs || stems.some((stem) => stem >= length))
      throw new RangeError('the saved vocabulary does not fit this version')
    for (const text of saved.texts) add(text)
    stems.forEach((stem, word) => {
      if (stem !== 0) join(word, stem)
    })
    vocabulary.wordDf = saved.wordDf
    vocabulary.stemDf = saved.stemDf
  }

  /** Returns the number of a word and adds it if it is new. Returns 0 if the vocabulary is full. */
  function intern(word: string): number {
    // Copy the word: a slice would keep its whole line in memory.
    const number = numbers.get(word) ?? add(Buffer.from(word).toString())
    if (number === 0 || vocabulary.stems[number] !== 0) return number
    const stem = stemOf(texts[number] ?? '')
    join(number, numbers.get(stem) ?? add(stem))
    return number
  }

  function add(text: string): number {
    if (texts.length >= MAX_WORD_NUMBER) return 0
    const number = texts.push(text) - 1
    numbers.set(text, number)
    for (const column of ['stems', 'wordDf', 'stemDf'] as const) {
      vocabulary[column] = ensureCapacity(vocabulary[column], texts.length, Uint32Array)
    }
    vocabulary.hashes = ensureCapacity(vocabulary.hashes, texts.length, Uint16Array)
    lastWordOfStem = ensureCapacity(lastWordOfStem, texts.length, Uint32Array)
    previousWord = ensureCapacity(previousWord, texts.length, Uint32Array)
    const hash = hashOf(text)
    vocabulary.hashes[number] = hash ^ (hash >>> 16)
    return number
  }

  function join(word: number, stem: number): void {
    joined?.push(word)
    vocabulary.stems[word] = stem
    previousWord[word] = lastWordOfStem[stem] as number
    lastWordOfStem[stem] = word
  }

  /** Returns a function that removes the words added since. Nothing may keep their numbers. */
  function mark(): () => void {
    const { length } = texts
    const added: number[] = []
    joined = added
    return () => {
      joined = undefined
      for (const word of added.reverse()) {
        lastWordOfStem[vocabulary.stems[word] as number] = previousWord[word] as number
        vocabulary.stems[word] = previousWord[word] = 0
      }
      for (const text of texts.splice(length)) numbers.delete(text)
    }
  }

  function wordsOf(stem: number): number[] {
    const found: number[] = []
    let word = lastWordOfStem[stem] as number
    while (word !== 0) {
      found.push(word)
      word = previousWord[word] as number
    }
    return found
  }

  /**
   * Returns the most frequent words that begin with a text and are longer, at most `max`. Ties are
   * resolved by text, independent of the order of publication.
   */
  function startingWith(prefix: string, max: number, dfOf: (word: number) => number): number[] {
    const found: { word: number; text: string; df: number }[] = []
    for (let word = 1; word < texts.length; word++) {
      const text = texts[word] as string
      if (text.length <= prefix.length || !text.startsWith(prefix)) continue
      const df = dfOf(word)
      if (df > 0) found.push({ word, text, df })
    }
    found.sort((a, b) => b.df - a.df || (a.text < b.text ? -1 : 1))
    return found.slice(0, max).map(({ word }) => word)
  }

  /** Counts the texts that no live document contains. */
  function countUnused(): number {
    const { wordDf, stemDf } = vocabulary
    let unused = 0
    for (let i = 1; i < texts.length; i++) if (wordDf[i] === 0 && stemDf[i] === 0) unused++
    return unused
  }
}
