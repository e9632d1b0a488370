import type { ReadSkill } from '@skillpass/server/search/document/forward-index'
import { createSkillReader, type SkillReader } from '@skillpass/server/search/indexing/read-skill'
import { createVocabulary } from '@skillpass/server/search/lexicon/vocabulary'
import { createScanner } from '@skillpass/server/search/text/scanner'
import { createReadAhead } from '@skillpass/server/search/threads/read-ahead'
import { describe, expect, test } from 'vitest'
import { oneProcessor } from '../../support/processors.ts'

const skills = Array.from({ length: 3000 }, (_, i) => ({
  name: `Skill ${i % 7} of kind${i % 90}`,
  slug: `skill-${i}`,
  description: `Does thing${i} and ${i % 3 === 0 ? '翻译文件' : 'éditions'}. Do not use for thing${i + 1}.`,
  tags: [`tag${i % 11}`, 'pdf'],
  readme: `# Step ${i}\n\nRun the GitHubAction${i % 200} with care, then rest ${i % 13} hours.\n\n\`\`\`\ncall${i} --now\n\`\`\`\n`,
}))

/** A vocabulary with a reader that counts what is read in this thread. */
function reading() {
  const vocabulary = createVocabulary()
  const reader = createSkillReader(vocabulary)
  const read: ReadSkill[] = []
  let here = 0
  const counting: SkillReader = {
    ...reader,
    read(skill) {
      here++
      return reader.read(skill)
    },
  }
  /** Whoever read it reads the next into the same arrays. */
  const take = ({ words, ends, lengths, nameHash, prose }: ReadSkill) => {
    const used = words.slice(0, ends.at(-1))
    read.push({ words: used, ends: ends.slice(), lengths: lengths.slice(), nameHash, prose })
  }
  return {
    vocabulary,
    read,
    reader: counting,
    take,
    readHere: () => here,
    texts: () => read.map(({ words }) => Array.from(words, vocabulary.text)),
  }
}

const alone = reading()
for (const skill of skills) alone.take(alone.reader.read(skill))

describe.skipIf(oneProcessor !== '')(
  `skills that are read in another thread${oneProcessor}`,
  () => {
    test('are the same numbers and leave the same words known as if they were read in this one', () => {
      const { vocabulary, read, reader, take, readHere } = reading()
      const ahead = createReadAhead(vocabulary, reader)
      for (const skill of skills) ahead.add({ skill, take })
      ahead.finish()
      expect(read).toEqual(alone.read)
      expect(vocabulary.save()).toEqual(alone.vocabulary.save())
      expect(readHere()).toBeLessThan(skills.length / 2)
    })

    test('are all taken, in their order, whenever that is asked for', () => {
      const { vocabulary, read, reader, take } = reading()
      const ahead = createReadAhead(vocabulary, reader)
      skills.forEach((skill, i) => {
        ahead.add({ skill, take })
        if (i % 100 !== 0) return
        ahead.settle()
        expect(read).toHaveLength(i + 1)
      })
      ahead.finish()
      expect(read).toEqual(alone.read)
    })

    test('have the numbers that words got in between', () => {
      const { vocabulary, read, reader, take, texts } = reading()
      const ahead = createReadAhead(vocabulary, reader)
      const scanner = createScanner()
      skills.forEach((skill, i) => {
        ahead.add({ skill, take })
        if (i !== 1700) return
        scanner.load('thing2900')
        vocabulary.intern(scanner)
      })
      ahead.finish()
      expect(texts()).toEqual(alone.texts())
      expect(read).not.toEqual(alone.read)
    })

    test('are read in this one when the thread gives nothing', () => {
      const { vocabulary, read, reader, take } = reading()
      let outstanding = 0
      let closed = 0
      const ahead = createReadAhead(vocabulary, reader, () => ({
        get outstanding() {
          return outstanding
        },
        send: () => outstanding++,
        isReady: false,
        receive: () => undefined,
        close: () => closed++,
      }))
      for (const skill of skills) ahead.add({ skill, take })
      ahead.finish()
      expect(read).toEqual(alone.read)
      expect(vocabulary.save()).toEqual(alone.vocabulary.save())
      expect({ outstanding, closed }).toEqual({ outstanding: 2, closed: 1 })
    })
  },
)
