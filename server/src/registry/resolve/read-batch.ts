import { LENGTHS } from './constants.ts'
import { SECTIONS } from './forward.ts'
import { setWord } from './hashed-word.ts'
import { createKnownWords, type KnownWords } from './known-words.ts'
import { createSkillReader, type ReadableSkill, type ReadSkill } from './read-skill.ts'
import { appendAll, createWordList } from './word-list.ts'
import { createWordTable, type SavedWords } from './word-table.ts'

/** Skills that were read in another thread, which numbers words as this one does. */
export interface ReadBatch {
  /** How many words the thread knew before, and those that came. */
  known: number
  newWords: SavedWords
  /** `ReadSkill.words`, skill after skill. */
  words: Uint32Array
  /** By skill: `ReadSkill.ends`, `ReadSkill.lengths`, `ReadSkill.nameHash`. */
  ends: Uint32Array
  lengths: Uint32Array
  nameHashes: Uint32Array
}

/** Reads skills in the thread that is asked for them, from the words that are known so far. */
export function createBatchReader(
  saved: SavedWords,
): (skills: readonly ReadableSkill[]) => ReadBatch {
  const table = createWordTable(saved)
  const reader = createSkillReader(createKnownWords(table))
  let told = table.count
  return (skills) => {
    const words = createWordList()
    const ends = new Uint32Array(skills.length * SECTIONS)
    const lengths = new Uint32Array(skills.length * LENGTHS)
    const nameHashes = new Uint32Array(skills.length)
    skills.forEach((skill, i) => {
      const read = reader.read(skill)
      appendAll(words, { words: read.words, length: read.ends.at(-1) ?? 0 })
      ends.set(read.ends, i * SECTIONS)
      lengths.set(read.lengths, i * LENGTHS)
      nameHashes[i] = read.nameHash
    })
    const known = told
    const newWords = table.after(known)
    told = table.count
    return { known, newWords, words: words.words.slice(0, words.length), ends, lengths, nameHashes }
  }
}

/** The skills of a batch, whose new words become known here: before, the same as in the thread were. */
export function* skillsOf(batch: ReadBatch, known: KnownWords): Generator<ReadSkill> {
  const { newWords, words, ends, lengths, nameHashes } = batch
  const word = { text: newWords.pool, at: 0, length: 0, hash: 0, low: 0, middle: 0, high: 0 }
  for (const length of newWords.lengths) {
    setWord(word, newWords.pool, word.at + word.length, length)
    known.intern(word)
  }
  let start = 0
  for (let i = 0; i < nameHashes.length; i++) {
    const ownEnds = ends.subarray(i * SECTIONS, (i + 1) * SECTIONS)
    const end = start + (ownEnds.at(-1) ?? 0)
    yield {
      words: words.subarray(start, end),
      ends: ownEnds,
      lengths: lengths.subarray(i * LENGTHS, (i + 1) * LENGTHS),
      nameHash: nameHashes[i] as number,
    }
    start = end
  }
}
