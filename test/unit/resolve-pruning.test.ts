import { stemEnglish } from '@skillpass/server/registry/resolve/stem'
import { describe, expect, it } from 'vitest'
import { corpusMissing, readSkills, readTasks, seededRandom } from '../bench/resolve-data.ts'
import { createNamedIndex } from '../support/named-index.ts'

describe('reading only the heaviest postings', () => {
  it('gives the hits of an exhaustive run, on skills made of skewed random words', () => {
    const random = seededRandom(7)
    const word = () => `w${Math.floor(random() ** 4 * 300)}x`
    const words = (count: number) => Array.from({ length: count }, word).join(' ')
    const index = createNamedIndex()
    for (let i = 0; i < 600; i++) {
      index.put({
        id: `s${i}`,
        name: words(2),
        slug: `s${i}`,
        description: words(8),
        tags: [],
        readme: words(60),
      })
    }
    for (let i = 0; i < 100; i++) index.remove(`s${i * 5}`)
    for (let i = 0; i < 100; i++) expectSame(index, words(5 + (i % 20)))
  })

  const missing = corpusMissing()
  it.skipIf(missing !== undefined)(
    `gives nearly all of the ten best of an exhaustive run on the real corpus${missing ? ` (skipped: ${missing})` : ''}`,
    () => {
      const index = createNamedIndex()
      for (const skill of readSkills().slice(0, 1500)) index.put(skill)
      let shared = 0
      let all = 0
      for (const { task } of readTasks().slice(0, 100)) {
        const [pruned, exhaustive] = both(index, task, 10)
        all += exhaustive.length
        shared += exhaustive.filter(({ slot }) => pruned.some((hit) => hit.slot === slot)).length
      }
      expect(shared / all).toBeGreaterThan(0.97)
    },
    120_000,
  )
})

function expectSame(index: ReturnType<typeof createNamedIndex>, task: string): void {
  const [pruned, exhaustive] = both(index, task, 64)
  expect(pruned).toEqual(exhaustive)
}

/** A threshold of zero makes the index count every match, which takes an exhaustive run. */
function both(index: ReturnType<typeof createNamedIndex>, task: string, limit: number) {
  const ranked = (threshold: number) => index.resolve(task, { limit, threshold }).hits
  return [ranked(Number.MIN_VALUE), ranked(0)] as const
}

describe('the English stemmer', () => {
  it.each([
    ['consignment', 'consign'],
    ['consistency', 'consist'],
    ['generously', 'generous'],
    ['knightly', 'knight'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['tied', 'tie'],
    ['cries', 'cri'],
    ['gas', 'gas'],
    ['gaps', 'gap'],
    ['agreed', 'agre'],
    ['relational', 'relat'],
    ['organization', 'organiz'],
    ['skies', 'sky'],
    ['youth', 'youth'],
    ['saying', 'say'],
    ['analogies', 'analog'],
    ['controlling', 'control'],
  ])('reduces %s to %s', (word, stem) => {
    expect(stemEnglish(word)).toBe(stem)
  })
})
