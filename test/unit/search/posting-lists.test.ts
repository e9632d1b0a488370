import { MOST_WORDS } from '@skillpass/server/search/lexicon/word-table'
import { createTopK } from '@skillpass/server/search/query/top-k'
import {
  addList,
  countLevels,
  countPostings,
  findList,
  LEVELS,
  readPostings,
} from '@skillpass/server/search/segment/postings'
import { createPostingsBuilder } from '@skillpass/server/search/segment/postings-builder'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'

const DOCUMENTS = 65_536

describe('posting lists', () => {
  test.each([300, 200_000, MOST_WORDS + 1])(
    'posting lists return what was added, with keys below %d',
    (keys) => {
      const random = seededRandom(keys)
      const expected = new Map<number, number[]>()
      for (let i = 0; i < 40; i++) {
        for (const count of [1, 1, 2, 3, 20]) draw(count)
      }
      for (const count of [70, 128, 129, 1000, 9000]) draw(count)
      const collector = createPostingsBuilder(100)
      for (const [key, postings] of expected) {
        for (const posting of postings) collector.add(key, posting >>> 3, posting & 7)
      }
      const lists = collector.build(keys)
      const list = { form: 0, start: 0, end: 0 }
      const documents = new Uint16Array(DOCUMENTS)
      const levels = new Uint8Array(DOCUMENTS)
      for (const [key, postings] of expected) {
        expect(findList(lists, key, list)).toBe(true)
        expect(readPostings(lists.bytes, list, documents, levels)).toBe(postings.length)
        const read = postings.map((_, i) => ((documents[i] ?? 0) << 3) | (levels[i] ?? 0))
        expect(read.sort((a, b) => a - b)).toEqual(postings)
        expect(countPostings(lists.bytes, list)).toBe(postings.length)

        const counts = new Uint32Array(2 * LEVELS)
        countLevels(lists.bytes, list, counts, LEVELS)
        const weights = new Uint16Array(2 * LEVELS).map((_, i) => (i % 3) * i)
        const sums = new Uint16Array(DOCUMENTS)
        addList(lists.bytes, list, weights, LEVELS, sums)
        const added = postings.map((posting) => sums[posting >>> 3])
        expect(added).toEqual(postings.map((posting) => weights[LEVELS + (posting & 7)]))
        for (let level = 0; level < LEVELS; level++) {
          expect(counts[LEVELS + level]).toBe(
            postings.filter((each) => (each & 7) === level).length,
          )
        }
        if (!expected.has(key + 1)) expect(findList(lists, key + 1, list)).toBe(false)
        if (!expected.has(key - 1)) expect(findList(lists, key - 1, list)).toBe(false)
      }

      function draw(count: number): void {
        const drawn = new Set<number>()
        while (drawn.size < count) drawn.add(Math.floor(random() * DOCUMENTS))
        const ascending = [...drawn].sort((a, b) => a - b)
        const postings = ascending.map((each) => (each << 3) | Math.floor(random() * LEVELS))
        expected.set(Math.floor(random() * keys), postings)
      }
    },
  )
})

describe('the highest sums', () => {
  test.each([
    ['spread', 7, 60_000],
    ['in long ties', 11, 5],
    ['with few of them above zero', 13, 1.01],
  ])('the highest sums are those of a full sort, %s', (_, seed, height) => {
    const random = seededRandom(seed)
    const sums = new Uint16Array(DOCUMENTS)
    const top = createTopK(sums)
    for (const sizes of [[5000], [33, 4001, 9000], [9000, 50, 7], [100]]) {
      const all: number[] = []
      top.begin(80)
      sizes.forEach((size, part) => {
        const dead = new Uint8Array(size).map(() => (random() < 0.1 ? 1 : 0))
        sums.fill(0)
        for (let document = 0; document < size; document++) {
          const sum = Math.floor(random() ** 3 * height)
          sums[document] = sum
          if (sum > 0 && dead[document] === 0) all.push(sum)
        }
        top.collect(size, dead, part)
      })
      all.sort((a, b) => b - a)
      const found = [...top.finish().sums].sort((a, b) => b - a)
      const last = all[Math.min(80, all.length) - 1] ?? 0
      const expected = all.filter((sum) => sum >= last).slice(0, 240)
      expect(found).toEqual(expected)
    }
  })
})
