import { createSteps } from '@skillpass/server/internal/runtime/steps'
import { createSkillIndex } from '@skillpass/server/internal/search/index'
import { expect, test } from 'vitest'
import { uniqueWords } from '../support/words.ts'
import { savedBytesOf } from './fixture.ts'

const skill = (readme: string) => ({
  name: 'Whatever',
  slug: 'whatever',
  description: 'Does whatever is asked.',
  tags: ['some'],
  readme,
})

const readmes = {
  'one word per line': uniqueWords(1, 230_000, '\n'),
  'words in one line': uniqueWords(2, 230_000, ' '),
  'a block of code': `\`\`\`\n${uniqueWords(3, 230_000, ' ')}\n\`\`\``,
  headings: uniqueWords(4, 230_000, '\n# '),
  'words of other scripts': Array.from({ length: 20_000 }, (_, i) => `слово${i}`).join(' '),
}

test.each(Object.entries(readmes))('a readme of %s adds at most 4,096 words', (_, readme) => {
  const index = createSkillIndex(createSteps())
  const steps = index.read(skill(readme))
  let step = steps.next()
  while (!step.done) step = steps.next()
  expect(index.countNewWords(step.value)).toBeGreaterThan(4000)
  expect(index.countNewWords(step.value)).toBeLessThanOrEqual(4096)
  index.put(0, step.value)
  expect(index.countNewWords(step.value)).toBe(0)
})

test('a skill of unique words adds less than 300 kB to the saved index', () => {
  const skills = 10
  const index = createSkillIndex(createSteps())
  index.beginLoad()
  for (let i = 0; i < skills; i++) index.put(i, skill(uniqueWords(i, 230_000, ' ')))
  index.endLoad()
  expect(savedBytesOf(index) / skills).toBeLessThan(300_000)
})
