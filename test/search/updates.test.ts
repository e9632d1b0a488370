import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createNamedIndex,
  found,
  indexOf,
  type NamedSkill,
  OTHERS,
  PDF,
  ranking,
  skill,
} from './fixture.ts'

const WORDS = 'alpha beta gamma delta form pdf 表单 naïve releaseNotes tests testing tested'.split(
  ' ',
)

const phrase = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { maxLength }).map((words) => words.join(' '))

const skills = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .record({ name: phrase(3), description: phrase(6), readme: phrase(30) })
          .map((fields) => skill(`skill-${id}`, fields)),
      ),
    ),
  )

test('the ranking does not depend on the order in which skills were added and changed', () => {
  fc.assert(
    fc.property(skills, fc.integer(), phrase(5), (texts, seed, task) => {
      const inOrder = indexOf(texts)
      const changed = changedInto(texts, seed)
      const [a, b] = [inOrder, changed].map((index) =>
        index.resolve(task, { limit: 50, threshold: 0 }),
      )
      expect(b?.matched).toBe(a?.matched)
      expect(b?.tokenWeights).toEqual(a?.tokenWeights)
      const scores = new Map(b?.hits.map((hit) => [hit.id, hit]))
      a?.hits.forEach((hit, rank) => {
        expect(scores.get(hit.id)?.score).toBeCloseTo(hit.score, 9)
        expect(scores.get(hit.id)?.confidence).toBeCloseTo(hit.confidence, 6)
        expect(b?.hits[rank]?.score).toBeCloseTo(hit.score, 9)
      })
      expect(found(changed, task).sort()).toEqual(found(inOrder, task).sort())
    }),
    { numRuns: 30 },
  )
})

test('20,000 updates of one skill add less than 100 kB to the saved index', () => {
  const index = indexOf(OTHERS)
  const update = (times: number) => {
    for (let i = 0; i < times; i++) index.put({ ...PDF, description: `Fill PDF forms ${i % 50}` })
  }
  update(5_000)
  const before = index.savedBytes()
  update(20_000)
  expect(index.savedBytes() - before).toBeLessThan(100_000)
  expect(ranking(index, 'pdf')).toEqual(['pdf'])
})

/**
 * Returns an index of the same texts, after adding other texts under their ids, removing some, and
 * replacing them in another order.
 */
function changedInto(texts: readonly NamedSkill[], seed: number) {
  const index = createNamedIndex()
  const turned = [...texts]
  for (let i = 0; i < Math.abs(seed % texts.length); i++) turned.push(turned.shift() as NamedSkill)
  turned.forEach((text, i) => {
    index.put({ ...text, name: `${text.readme} omega`, readme: text.name })
    if (i % 2 === 0) index.remove(text.id)
  })
  for (const text of turned.reverse()) index.put(text)
  return index
}
