import { expect, test } from 'vitest'
import { prunedAndExact } from './agreement.ts'

// Joined as in prose, since a bare list of words counts next to nothing.

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
