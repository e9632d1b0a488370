import type { ReadSkill } from '@skillpass/server/search/document/forward-index'
import { createSkillIndex } from '@skillpass/server/search/index'
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

/** A skill as it was read, with words as text. */
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

describe.each(Object.entries(readmes))('a readme of %s', (what, readme) => {
  test(`the same words are indexed of a readme of ${what} whatever words are known, at once or in steps`, () => {
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
  })
})

test('skills of unique words take less memory in the index than their texts', () => {
  const skills = 10
  const index = createSkillIndex()
  index.beginLoad()
  for (let i = 0; i < skills; i++) index.put(i, skill(uniqueWords(i, 230_000, ' ')))
  index.endLoad()
  expect(index.memory() / skills).toBeLessThan(230_000)
})
