import { isDeepStrictEqual } from 'node:util'
import { stemEnglish } from '@skillpass/server/search/text/porter2'
import { describe, expect, test } from 'vitest'
import { corpusMissing, readSkills, readTasks } from '../../support/corpus.ts'
import { seededRandom } from '../../support/random.ts'
import { createNamedIndex, type NamedSkill } from './named-index.ts'

/** An index, and one of the same skills that reads every skill: none is in a segment. */
function twins(skills: readonly NamedSkill[]) {
  const [pruned, exact] = [createNamedIndex(), createNamedIndex()]
  exact.beginLoad()
  for (const skill of skills) {
    pruned.put(skill)
    exact.put(skill)
  }
  return { pruned, exact }
}

let real: ReturnType<typeof twins> | undefined

/** The indexes of the real skills, for tests that change neither. */
function realTwins() {
  real ??= twins(readSkills().slice(0, 1500))
  return real
}

/** The share of the ten best of all skills that are among the ten best of the candidates. */
function agreement({ pruned, exact }: ReturnType<typeof twins>, tasks: readonly string[]): number {
  const options = { limit: 10, threshold: Number.MIN_VALUE }
  let shared = 0
  let all = 0
  for (const task of tasks) {
    const best = pruned.resolve(task, options).hits.map(({ id }) => id)
    const wanted = exact.resolve(task, options).hits
    all += wanted.length
    shared += wanted.filter(({ id }) => best.includes(id)).length
  }
  return shared / all
}

describe('reading only the heaviest postings', () => {
  const random = seededRandom(7)
  const word = () => `w${Math.floor(random() ** 4 * 300)}x`
  // held together as in prose: lists count next to nothing
  const words = (count: number) => Array.from({ length: count }, word).join(' of the ')
  const invented = Array.from({ length: 600 }, (_, i) => ({
    id: `s${i}`,
    name: words(2),
    slug: `s${i}`,
    description: words(8),
    tags: [],
    readme: words(60),
  }))
  const asked = Array.from({ length: 100 }, (_, i) => words(5 + (i % 20)))

  test('gives nearly all of the ten best, of skills made of skewed random words', () => {
    const both = twins(invented)
    for (const index of [both.pruned, both.exact]) {
      for (let i = 0; i < 100; i++) index.remove(`s${i * 5}`)
    }
    expect(agreement(both, asked)).toBeGreaterThan(0.93)
  })

  const missing = corpusMissing()
  test.skipIf(missing !== undefined)(
    `gives nearly all of the ten best, of the real skills${missing ? ` (skipped: ${missing})` : ''}`,
    () => {
      const tasks = readTasks().slice(0, 100)
      expect(
        agreement(
          realTwins(),
          tasks.map(({ task }) => task),
        ),
      ).toBeGreaterThan(0.88)
    },
    120_000,
  )

  test.skipIf(missing !== undefined)(
    `keeps nearly every hit, though only readmes are read that may bring their skill to the threshold, of the real skills${missing ? ` (skipped: ${missing})` : ''}`,
    () => {
      const { pruned } = realTwins()
      const kept = new Set<string>()
      const all = new Set<string>()
      for (const { task } of readTasks().slice(0, 300)) {
        const hits = (threshold: number) => pruned.resolve(task, { limit: 50, threshold }).hits
        const reaching = hits(Number.MIN_VALUE).filter(({ confidence }) => confidence >= 0.3)
        for (const { id, confidence } of reaching) all.add(`${task} ${id} ${confidence}`)
        for (const { id, confidence } of hits(0.3)) kept.add(`${task} ${id} ${confidence}`)
      }
      expect(all.size).toBeGreaterThan(200)
      const missed = [...all].filter((hit) => !kept.has(hit))
      expect(missed.length).toBeLessThan(0.01 * all.size)
      expect(kept.size).toBe(all.size - missed.length)
    },
    120_000,
  )

  test.skipIf(missing !== undefined)(
    `gives the same hits and counts as many whatever the limit, of the real skills${missing ? ` (skipped: ${missing})` : ''}`,
    () => {
      const { pruned } = realTwins()
      for (const { task } of readTasks().slice(0, 300)) {
        for (const threshold of [0, 0.02, 0.3]) {
          const [most, ...fewer] = [100, 50, 10, 1].map((limit) => ({
            limit,
            ...pruned.resolve(task, { limit, threshold }),
          }))
          const differing = fewer.filter(
            ({ limit, hits, matched }) =>
              matched !== most?.matched || !isDeepStrictEqual(hits, most.hits.slice(0, limit)),
          )
          expect({ task, differing }).toEqual({ task, differing: [] })
        }
      }
    },
    120_000,
  )

  test.skipIf(missing !== undefined)(
    `answers the same in whichever order the skills came, of the real skills${missing ? ` (skipped: ${missing})` : ''}`,
    () => {
      const skills = readSkills().slice(0, 1500)
      const [forwards, backwards] = [skills, skills.toReversed()].map((some) => {
        const index = createNamedIndex()
        index.beginLoad()
        for (const each of some) index.put(each)
        index.endLoad()
        return index
      })
      for (const { task } of readTasks().slice(0, 300)) {
        const [one, other] = [forwards, backwards].map((index) => {
          const answer = index?.resolve(task, { limit: 10, threshold: 0.1 })
          const hits = answer?.hits.map(({ id, confidence }) => [id, confidence.toFixed(6)])
          return { task, hits, matched: answer?.matched }
        })
        expect(one).toEqual(other)
      }
    },
    120_000,
  )

  test('counts no further than 1,024 of skills that all serve a task', () => {
    const { pruned } = twins(
      Array.from({ length: 4000 }, (_, i) => ({
        id: `s${i}`,
        name: i < 3000 ? 'PDF form filler' : `Other ${i}`,
        slug: `s${i}`,
        description: i < 3000 ? 'Fills PDF forms.' : `Does number ${i}.`,
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

  test('gives the same answer when all that match are counted', () => {
    const { pruned } = twins(invented)
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
})

describe('the English stemmer', () => {
  test.each([
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
