import { topOf } from '@skillpass/server/registry/top'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('gives what sorting everything and cutting would give', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.nat(40), (values, count) => {
      // Equal values are told apart by their place, so that there is one right order.
      const order = (a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0) || a - b
      const sorted = values.map((_, place) => place).sort(order)
      const top = topOf(values.length, count, (a, b) => order(a, b) < 0)
      expect(top).toEqual(sorted.slice(0, count))
    }),
  )
})
