import {
  type Ranking,
  selectPage,
  type WriteKeys,
} from '@skillpass/server/registry/catalogue/select'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom, shuffled } from '../../support/corpus/corpus.ts'

/** Ranks numbers by two values of each, then by themselves. */
function rankingOf(values: readonly number[], others: readonly number[]): Ranking {
  const by =
    (value: (item: number) => number): WriteKeys =>
    (items, keys) => {
      for (const [i, item] of items.entries()) keys[i] = -value(item)
    }
  return [by((item) => values[item] ?? 0), by((item) => others[item] ?? 0), by((item) => item)]
}

const sorted = (items: Uint32Array, ranking: Ranking) => {
  const keys = ranking.map((write) => {
    const written = new Int32Array(items.length)
    write(items, written)
    return written
  })
  const places = [...items.keys()].sort((a, b) => {
    const unequal = keys.find((column) => column[a] !== column[b])
    return (unequal?.[b] ?? 0) - (unequal?.[a] ?? 0)
  })
  return places.map((place) => items[place] ?? 0)
}

describe('a page is what sorting everything and cutting would give', () => {
  test('of a few items', () => {
    const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 9 })))
    fc.assert(
      fc.property(items, fc.nat(20), fc.nat(20), (pairs, start, length) => {
        const ranking = rankingOf(
          pairs.map(([value]) => value),
          pairs.map(([, other]) => other),
        )
        const all = Uint32Array.from(pairs.keys())
        const page = selectPage(all, start, start + length, ranking)
        expect(page).toEqual(sorted(all, ranking).slice(start, start + length))
      }),
    )
  })

  const random = seededRandom(5)
  const count = 4000
  const shapes: Record<string, (item: number) => number> = {
    'all alike': () => 3,
    'all different': () => Math.floor((random() - 0.5) * 2 ** 32),
    'mostly alike': () => Math.floor(random() ** 6 * 5),
    'the worst first': (item) => count - item,
    'the worst last': (item) => item,
  }

  test.each(Object.keys(shapes))('of thousands, %s', (shape) => {
    const shapeOf = shapes[shape] ?? (() => 0)
    const items = Array.from({ length: count }, (_, item) => item)
    const ranking = rankingOf(
      items.map(shapeOf),
      items.map(() => Math.floor(random() * 50)),
    )
    for (const order of [items, items.toReversed(), shuffled(items, random)]) {
      const given = Uint32Array.from(order)
      const expected = sorted(given, ranking)
      for (const [start, end] of [
        [0, 1],
        [0, 20],
        [100, 150],
        [900, 1000],
        [2000, 2300],
        [count - 5, count + 5],
        [count, count + 9],
        [0, count],
      ] as const) {
        expect(selectPage(given, start, end, ranking)).toEqual(expected.slice(start, end))
      }
    }
  })
})
