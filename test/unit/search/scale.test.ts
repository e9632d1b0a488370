import { createSkillIndex, type SkillIndex } from '@skillpass/server/search/index'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CorpusSkill, corpusMissing, readSkills, readTasks } from '../../support/corpus.ts'
import { grow } from '../../support/grown-corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'

const missing = corpusMissing()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

/** Enough for segments of several sizes. */
const size = 3000

describe.skipIf(missing !== undefined)(`the index of ${size} grown skills${skipped}`, () => {
  let skills: CorpusSkill[] = []
  let tasks: string[] = []
  let loaded: SkillIndex
  let changed: SkillIndex

  beforeAll(async () => {
    const random = seededRandom(11)
    const real = shuffled(readSkills(), random)
    skills = [...grow(real.slice(0, 1000), size)]
    tasks = shuffled(readTasks(), random)
      .slice(0, 60)
      .map(({ task }) => task)
    loaded = createSkillIndex()
    load(loaded, skills)
    await loaded.settled()
    changed = await built(real.slice(1000, 1000 + size))
  })

  afterAll(() => Promise.all([loaded.close(), changed.close()]))

  /** Replaces all skills, each in place of another, one by one. */
  async function built(others: readonly CorpusSkill[]): Promise<SkillIndex> {
    const index = createSkillIndex()
    for (let slot = 0; slot < size; slot++) {
      const [other, skill] = [others[slot], skills[slot]]
      if (other && slot % 3 === 0) index.put(slot, other)
      if (slot % 500 === 0) await index.settled()
      if (skill) index.put(slot, skill)
    }
    await index.settled()
    return index
  }

  test('takes less than 3 kB for one more skill', () => {
    const few = createSkillIndex()
    load(few, skills.slice(0, 1000))
    const growth = loaded.memory() - few.memory()
    expect(growth / (size - 1000)).toBeLessThan(3000)
  })

  test('answers alike whether skills were loaded at once or published one by one', () => {
    expect(changed.size).toBe(loaded.size)
    let shared = 0
    let all = 0
    for (const task of tasks) {
      const [one, other] = [ten(loaded, task), ten(changed, task)]
      all += one.length
      shared += one.filter((slot) => other.includes(slot)).length
    }
    // pairs that share a counter are others in another order of numbers
    expect(shared / all).toBeGreaterThan(0.92)
  })

  test('finds every skill by a word that it alone has, however often it was merged', () => {
    for (let slot = 1000; slot < size; slot += 5) {
      const word = skills[slot]?.name.split(/[ -]/)[0] ?? ''
      expect(changed.resolve(word, { limit: 1, threshold: 0 }).hits[0]?.slot).toBe(slot)
    }
  })
})

function load(index: SkillIndex, skills: readonly CorpusSkill[]): void {
  index.beginLoad()
  for (const [slot, skill] of skills.entries()) index.put(slot, skill)
  index.endLoad()
}

const ten = (index: SkillIndex, task: string): number[] =>
  index.resolve(task, { limit: 10, threshold: 0.05 }).hits.map(({ slot }) => slot)
