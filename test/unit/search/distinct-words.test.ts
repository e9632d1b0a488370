import { MOST_DISTINCT_WORDS } from '@skillpass/server/search/constants/constants'
import type { ReadSkill } from '@skillpass/server/search/document/forward-index'
import { createSkillIndex } from '@skillpass/server/search/index'
import { countNewWords } from '@skillpass/server/search/indexing/new-words'
import { createBatchReader, createBatchTaker } from '@skillpass/server/search/indexing/read-batch'
import { createSkillReader } from '@skillpass/server/search/indexing/read-skill'
import { createVocabulary, type Vocabulary } from '@skillpass/server/search/lexicon/vocabulary'
import { describe, expect, test } from 'vitest'
import { uniqueWords } from '../../support/words.ts'

const skill = (readme: string) => ({
  name: 'Whatever',
  slug: 'whatever',
  description: 'Does whatever is asked.',
  tags: ['some'],
  readme,
})

/** Everything that is kept of a skill, words as text. */
const written = ({ words, ends, lengths }: ReadSkill, vocabulary: Vocabulary) => ({
  words: Array.from(words.subarray(0, ends.at(-1)), (word) => word && vocabulary.text(word)),
  ends: Array.from(ends),
  lengths: Array.from(lengths),
})

const readmes = {
  'words of a line each': uniqueWords(1, 230_000, '\n'),
  'words in one line': uniqueWords(2, 230_000, ' '),
  'a block of code': `\`\`\`\n${uniqueWords(3, 230_000, ' ')}\n\`\`\``,
  headings: uniqueWords(4, 230_000, '\n# '),
  'words of other scripts': Array.from({ length: 20_000 }, (_, i) => `слово${i}`).join(' '),
  'prose before and after': `${'Say it again. '.repeat(2000)}${uniqueWords(5, 100_000, ' ')} last`,
}

describe.each(Object.entries(readmes))('of a readme of %s', (_what, readme) => {
  test('no more words are indexed than the bound and a line allow', () => {
    const vocabulary = createVocabulary()
    const before = vocabulary.count
    const read = createSkillReader(vocabulary).read(skill(readme))
    expect(vocabulary.count - before).toBeLessThan(MOST_DISTINCT_WORDS + 600)
    expect(vocabulary.count - before).toBeGreaterThan(MOST_DISTINCT_WORDS - 600)
    expect(read.words.length).toBeGreaterThan(0)
  })

  test('the same is indexed whatever words are known, in steps and in another thread', () => {
    const fresh = createVocabulary()
    const whole = written(createSkillReader(fresh).read(skill(readme)), fresh)

    const full = createVocabulary()
    const reader = createSkillReader(full)
    for (const half of [readme.slice(readme.length / 2), readme]) reader.read(skill(half))
    expect(written(reader.read(skill(readme)), full)).toEqual(whole)

    const reading = reader.begin(skill(readme))
    let stepped = reading.step()
    while (!stepped) stepped = reading.step()
    expect(written(stepped, full)).toEqual(whole)

    const [batched] = createBatchTaker(full)(createBatchReader(full.save().words)([skill(readme)]))
    expect(batched && written(batched, full)).toEqual(whole)
  })

  test('the new words are told before they come, and none is made by telling', () => {
    const vocabulary = createVocabulary()
    const reader = createSkillReader(vocabulary)
    reader.read(skill(readme.slice(0, 10_000)))
    const before = vocabulary.count
    const counting = countNewWords(vocabulary, skill(readme))
    let count = counting.step()
    while (count === undefined) count = counting.step()
    expect(vocabulary.count).toBe(before)
    reader.read(skill(readme))
    expect(vocabulary.count - before).toBe(count)
  })
})

test('skills of unique words take less memory in the index than their texts are long', () => {
  const skills = 40
  const index = createSkillIndex()
  index.beginLoad()
  for (let i = 0; i < skills; i++) {
    index.put(i, skill(uniqueWords(i, 230_000, ' ')))
  }
  index.endLoad()
  expect(index.memory() / skills).toBeLessThan(230_000)
})
