import { createSteps } from '@skillpass/server/internal/runtime/steps'
import { createSkillIndex, type SkillText } from '@skillpass/server/internal/search/index'
import { expect, test } from 'vitest'
import { readSkills, readTasks } from '../support/corpus.ts'
import { createNamedIndex, savedBytesOf } from './fixture.ts'

const skills = readSkills().slice(0, 1200)
const tasks = readTasks()

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
  for (const { task } of tasks.slice(0, 60)) {
    const best = pruned.resolve(task, options).hits.map(({ id }) => id)
    const wanted = exact.resolve(task, options).hits
    all += wanted.length
    shared += wanted.filter(({ id }) => best.includes(id)).length
  }
  expect(shared / all).toBeGreaterThan(0.88)
})

test('the first hit serves the task for six in ten tasks', () => {
  const index = createNamedIndex()
  for (const skill of skills) index.put(skill)
  const ids = new Set(skills.map(({ id }) => id))
  const served = tasks.filter(({ relevant }) => relevant.some((id) => ids.has(id)))
  const isRight = served.map(({ task, relevant }) => {
    const [first] = index.resolve(task, { limit: 1, threshold: 0 }).hits
    return relevant.includes(first?.id ?? '')
  })
  expect(isRight.filter(Boolean).length / served.length).toBeGreaterThan(0.6)
})

test('a skill adds less than 5 kB to the saved index', () => {
  const bytesOf = (skills: readonly SkillText[]) => {
    const index = createSkillIndex(createSteps())
    index.beginLoad()
    for (const [slot, skill] of skills.entries()) index.put(slot, skill)
    index.endLoad()
    return savedBytesOf(index)
  }
  const third = Math.ceil(skills.length / 3)
  const added = bytesOf(skills) - bytesOf(skills.slice(0, third))
  expect(added / (skills.length - third)).toBeLessThan(5000)
})
