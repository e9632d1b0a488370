import { LENGTHS } from '../constants/constants.ts'
import { type ReadSkill, SECTIONS } from '../document/forward-index.ts'
import { grown } from '../document/growth.ts'
import { createKnownWords, type KnownWords } from '../lexicon/known-words.ts'
import { createWordTable, type SavedWords } from '../lexicon/word-table.ts'
import { setWord } from '../text/hashed-word.ts'
import type { SkillText } from '../text/skill-text.ts'
import { createSkillReader } from './read-skill.ts'
import { appendAll, createWordList } from './word-list.ts'

/** Skills that were read together, in numbers of their reader's own. */
export interface ReadBatch {
  /** Words that their reader met first in these skills, in the order it met them. */
  newWords: SavedWords
  /** `ReadSkill.words`, skill after skill. */
  words: Uint32Array
  /** By skill: `ReadSkill.ends`, `ReadSkill.lengths`, `ReadSkill.nameHash`, `ReadSkill.prose`. */
  ends: Uint32Array
  lengths: Uint32Array
  nameHashes: Uint32Array
  prose: Uint8Array
}

/** Reads skills without a vocabulary, from the words that one knew. */
export function createBatchReader(saved: SavedWords): (skills: readonly SkillText[]) => ReadBatch {
  const table = createWordTable(saved)
  const reader = createSkillReader(createKnownWords(table))
  let numbered = table.count
  /** The words of all skills of a batch. */
  const words = createWordList()
  return (skills) => {
    words.length = 0
    const ends = new Uint32Array(skills.length * SECTIONS)
    const lengths = new Uint32Array(skills.length * LENGTHS)
    const nameHashes = new Uint32Array(skills.length)
    const prose = new Uint8Array(skills.length)
    skills.forEach((skill, i) => {
      const read = reader.read(skill)
      appendAll(words, { words: read.words, length: read.ends.at(-1) ?? 0 })
      ends.set(read.ends, i * SECTIONS)
      lengths.set(read.lengths, i * LENGTHS)
      nameHashes[i] = read.nameHash
      prose[i] = read.prose
    })
    const newWords = table.after(numbered)
    numbered = table.count
    return { newWords, words: words.words.slice(0, words.length), ends, lengths, nameHashes, prose }
  }
}

/**
 * Gives the skills of one reader's batches the numbers that words have here; the reader began with
 * those that are known now. Batches must come in the order that they were read in. What is new gets
 * the number that it would get if the skills were read here, whoever read those between.
 */
export function createBatchTaker(known: KnownWords): (batch: ReadBatch) => Generator<ReadSkill> {
  /** By number of the reader. */
  let numbers = Uint32Array.from({ length: known.count + 1 }, (_, word) => word)
  let count = numbers.length
  return function* take({ newWords, words, ends, lengths, nameHashes, prose }) {
    numbers = grown(numbers, count + newWords.lengths.length, Uint32Array)
    const word = { text: newWords.pool, at: 0, length: 0, hash: 0, low: 0, middle: 0, high: 0 }
    for (const length of newWords.lengths) {
      setWord(word, newWords.pool, word.at + word.length, length)
      numbers[count++] = known.intern(word)
    }
    for (let i = 0; i < words.length; i++) words[i] = numbers[words[i] as number] as number
    let start = 0
    for (let i = 0; i < nameHashes.length; i++) {
      const ownEnds = ends.subarray(i * SECTIONS, (i + 1) * SECTIONS)
      const end = start + (ownEnds.at(-1) ?? 0)
      yield {
        words: words.subarray(start, end),
        ends: ownEnds,
        lengths: lengths.subarray(i * LENGTHS, (i + 1) * LENGTHS),
        nameHash: nameHashes[i] as number,
        prose: prose[i] as number,
      }
      start = end
    }
  }
}
