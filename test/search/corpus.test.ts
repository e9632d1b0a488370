import { createSkillIndex, type SkillIndex } from '@skillpass/server/search/index'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CorpusSkill, corpusMissing, readSkills, readTasks } from '../support/corpus.ts'
import { seededRandom, shuffled } from '../support/random.ts'
import { agreement, prunedAndExact } from './agreement.ts'

const missing = corpusMissing()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`
const real = missing === undefined ? readSkills() : []
const tasks = missing === undefined ? readTasks().map(({ task }) => task) : []

describe.skipIf(missing !== undefined)(`an index of 600 real skills${skipped}`, () => {
  const skills = real.slice(0, 600)
  const both = prunedAndExact(skills)

  test('an index that reads only the heaviest postings finds nearly all of the ten best real skills', () => {
    expect(agreement(both, tasks.slice(0, 60))).toBeGreaterThan(0.88)
  })
})

describe.skipIf(missing !== undefined)(`an index of 1,200 real skills${skipped}`, () => {
  /** Enough for segments of several sizes. */
  const size = 1200
  const few = 400
  const random = seededRandom(11)
  const drawn = shuffled(real, random)
  /** A word that no other skill has. */
  const ownWord = (slot: number) =>
    `zq${[...String(slot)].map((digit) => 'bdfghjklmn'[Number(digit)]).join('')}`
  const skills = drawn
    .slice(0, size)
    .map((skill, slot) => ({ ...skill, name: `${ownWord(slot)} ${skill.name}` }))
  let loaded: SkillIndex
  let changed: SkillIndex

  beforeAll(async () => {
    loaded = load(skills)
    await loaded.settled()
    changed = await replaceOneByOne(drawn.slice(size, 2 * size))
  })

  function load(skills: readonly CorpusSkill[]): SkillIndex {
    const index = createSkillIndex()
    index.beginLoad()
    for (const [slot, skill] of skills.entries()) index.put(slot, skill)
    index.endLoad()
    return index
  }

  /** An index of the skills, each of which took the slot of another one. */
  async function replaceOneByOne(others: readonly CorpusSkill[]): Promise<SkillIndex> {
    const index = createSkillIndex()
    for (const [slot, skill] of skills.entries()) {
      const other = others[slot]
      if (other && slot % 3 === 0) index.put(slot, other)
      if (slot % 500 === 0) await index.settled()
      index.put(slot, skill)
    }
    await index.settled()
    return index
  }

  test('an index of 1,200 skills takes less than 6 kB for one more', () => {
    const growth = loaded.memory() - load(skills.slice(0, few)).memory()
    expect(growth / (size - few)).toBeLessThan(6000)
  })

  test('an index answers alike whether skills were loaded at once or published one by one', () => {
    expect(changed.size).toBe(loaded.size)
    let shared = 0
    let all = 0
    for (const task of shuffled(tasks, random).slice(0, 60)) {
      const [one = [], other = []] = [loaded, changed].map((index) =>
        index.rank(task, { limit: 10, threshold: 0.05 }).standing.map(({ slot }) => slot),
      )
      all += one.length
      shared += one.filter((slot) => other.includes(slot)).length
    }
    // Pairs that share a counter differ with the order in which words got their numbers.
    expect(shared / all).toBeGreaterThan(0.92)
  })
})
