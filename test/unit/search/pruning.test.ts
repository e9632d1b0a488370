import { expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'
import { agreement, prunedAndExact } from './agreement.ts'

const random = seededRandom(7)
const word = () => `w${Math.floor(random() ** 4 * 300)}x`
// Joined as in prose, since a bare list of words counts next to nothing.
const words = (count: number) => Array.from({ length: count }, word).join(' of the ')
const invented = Array.from({ length: 600 }, (_, i) => ({
  id: `s${i}`,
  name: words(2),
  slug: `s${i}`,
  description: words(8),
  tags: [],
  readme: words(60),
}))
const asked = Array.from({ length: 60 }, (_, i) => words(5 + (i % 20)))

test('an index that reads only the heaviest postings finds nearly all of the ten best skills', () => {
  const both = prunedAndExact(invented)
  for (const index of [both.pruned, both.exact]) {
    for (let i = 0; i < 100; i++) index.remove(`s${i * 5}`)
  }
  expect(agreement(both, asked)).toBeGreaterThan(0.93)
})

test('resolve gives the same hits if it counts all that match, and counts each of them', () => {
  const { pruned } = prunedAndExact(invented)
  for (const task of asked) {
    const [some, counted] = [Number.MIN_VALUE, 0].map((threshold) =>
      pruned.resolve(task, { limit: 20, threshold }),
    )
    expect(counted?.hits).toEqual(some?.hits)
    const wanted = new Set(task.split(' of the '))
    const holders = invented.filter(({ name, description, readme }) =>
      `${name} ${description} ${readme}`.split(' ').some((each) => wanted.has(each)),
    )
    expect(counted?.matched).toBe(holders.length)
  }
})

test('resolve counts no further than 1,024 of the skills that serve a task', () => {
  const { pruned } = prunedAndExact(
    Array.from({ length: 1500 }, (_, i) => ({
      id: `s${i}`,
      name: i < 1200 ? 'PDF form filler' : `Other ${i}`,
      slug: `s${i}`,
      description: i < 1200 ? 'Fills PDF forms.' : `Does number ${i}.`,
      tags: [],
      readme: '',
    })),
  )
  const { hits, matched } = pruned.resolve('fill a pdf form', {
    limit: 10,
    threshold: Number.MIN_VALUE,
  })
  expect(hits).toHaveLength(10)
  expect(matched).toBe(1024)
})
