import { createSkillIndex } from '@skillpass/server/search/index'
import { describe, expect, test } from 'vitest'
import { corpusMissing, readSkills, readTasks } from '../support/corpus.ts'
import { createNamedIndex } from './fixture.ts'

const missing = corpusMissing()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

describe.skipIf(missing !== undefined)(`an index of real skills${skipped}`, () => {
  const skills = missing === undefined ? readSkills().slice(0, 1200) : []

  test('a postings budget keeps 88 % of the ten best hits of an exhaustive ranking', () => {
    const [pruned, exact] = [createNamedIndex(), createNamedIndex()]
    // Buffered documents are all read, and a load builds no segments.
    exact.beginLoad()
    for (const skill of skills.slice(0, 600)) {
      pruned.put(skill)
      exact.put(skill)
    }
    const options = { limit: 10, threshold: Number.MIN_VALUE }
    let shared = 0
    let all = 0
    for (const { task } of readTasks().slice(0, 60)) {
      const best = pruned.resolve(task, options).hits.map(({ id }) => id)
      const wanted = exact.resolve(task, options).hits
      all += wanted.length
      shared += wanted.filter(({ id }) => best.includes(id)).length
    }
    expect(shared / all).toBeGreaterThan(0.88)
  })

  test('an indexed skill takes less than 6 kB of memory', () => {
    const memoryOf = (count: number) => {
      const index = createSkillIndex()
      index.beginLoad()
      for (const [slot, skill] of skills.slice(0, count).entries()) index.put(slot, skill)
      index.endLoad()
      return index.memory()
    }
    expect((memoryOf(1200) - memoryOf(400)) / 800).toBeLessThan(6000)
  })
})
