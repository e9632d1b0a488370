import { selectPage } from '@skillpass/server/registry/catalogue/select'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom, shuffled } from '../bench/resolve-data.ts'

/** Ranks numbers by two values of each, of which only the first is exact, then by themselves. */
function rankingOf(values: readonly number[], others: readonly number[]) {
  const first = (item: number) => values[item] ?? 0
  const second = (item: number) => others[item] ?? 0
  return {
    keys: [first, (item: number) => Math.floor(second(item) / 4)],
    compare: (a: number, b: number) => first(a) - first(b) || second(a) - second(b) || a - b,
  }
}

const sorted = (items: Uint32Array, { compare }: ReturnType<typeof rankingOf>) =>
  [...items].sort(compare)

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
    'all different': () => random(),
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
