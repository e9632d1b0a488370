import type { ReadSkill } from '@skillpass/server/search/document/forward-index'
import { createSkillIndex } from '@skillpass/server/search/index'
import { createSkillReader } from '@skillpass/server/search/indexing/read-skill'
import { createVocabulary } from '@skillpass/server/search/lexicon/vocabulary'
import { createReadAhead } from '@skillpass/server/search/threads/read-ahead'
import { expect, onTestFinished, test } from 'vitest'
import { oneProcessor } from '../../support/rounds.ts'

/** More than an index reads in its own thread before it starts another. */
const skills = Array.from({ length: 2000 }, (_, i) => ({
  name: `Skill ${i % 7} of kind${i % 90}`,
  slug: `skill-${i}`,
  description: `Does thing${i} and ${i % 3 === 0 ? '翻译文件' : 'éditions'}. Do not use for thing${i + 1}.`,
  tags: [`tag${i % 11}`, 'pdf'],
  readme: `# Step ${i}\n\nRun the GitHubAction${i % 200} with care, then rest ${i % 13} hours.\n\n\`\`\`\ncall${i} --now\n\`\`\`\n`,
}))

const createIndex = () => {
  const index = createSkillIndex((error) => expect.unreachable(String(error)))
  onTestFinished(() => index.close())
  return index
}

test('an index that reads skills in another thread while it loads answers as one that reads them itself', () => {
  const [loaded, own] = [createIndex(), createIndex()]
  for (const index of [loaded, own]) index.beginLoad()
  for (const [slot, skill] of skills.entries()) {
    loaded.put(slot, skill)
    if (slot % 500 === 0) expect(loaded.size).toBe(slot + 1)
    const reading = own.read(skill)
    let read = reading.step()
    while (read === undefined) read = reading.step()
    own.put(slot, read)
  }
  for (const index of [loaded, own]) index.endLoad()
  expect(loaded.words()).toEqual(own.words())
  for (let i = 0; i < skills.length; i += 50) {
    const task = `thing${i} with GitHubAction${i % 200}, call${i + 1}`
    const [one, other] = [loaded, own].map((index) =>
      index.resolve(task, { limit: 10, threshold: 0 }),
    )
    expect(one).toEqual(other)
    expect(one?.hits[0]?.slot).toBe(i)
  }
})

test.skipIf(oneProcessor !== '')(
  `skills are read in the loading thread if the other one fails${oneProcessor}`,
  () => {
    const vocabulary = createVocabulary()
    const read: (string | undefined)[] = []
    /** Reading reuses its arrays, so that the name is copied. */
    const take = ({ words, ends }: ReadSkill) =>
      read.push(Array.from(words.subarray(0, ends[0]), vocabulary.text).join(' '))
    let outstanding = 0
    let closed = 0
    const ahead = createReadAhead(vocabulary, createSkillReader(vocabulary), () => ({
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
    expect(read).toEqual(skills.map(({ name }) => name.toLowerCase()))
    expect({ outstanding, closed }).toEqual({ outstanding: 2, closed: 1 })
  },
)
