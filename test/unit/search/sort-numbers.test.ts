import { sortByKey, sortNumbers } from '@skillpass/server/search/document/sort-numbers'
import { expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'

test('sorts numbers up to 2^24 - 1 between two places, few or many, and leaves the others', () => {
  const random = seededRandom(1)
  for (const count of [0, 1, 47, 48, 1000, 5000]) {
    for (const most of [10, 2 ** 13, 2 ** 24]) {
      const numbers = Uint32Array.from({ length: count + 7 }, () => Math.floor(random() * most))
      if (count > 0) numbers[3] = 2 ** 24 - 1
      const expected = numbers.slice()
      expected.subarray(3, 3 + count).sort()
      sortNumbers(numbers, 3, 3 + count)
      expect(numbers).toEqual(expected)
    }
  }
})

test('sorts keys with their values, those of a key in the order they had', () => {
  const random = seededRandom(2)
  for (const count of [0, 1, 1000, 5000]) {
    for (const most of [10, 2 ** 13, 2 ** 24]) {
      const keys = Uint32Array.from({ length: count }, () => Math.floor(random() * most))
      if (count > 0) keys[0] = 2 ** 24 - 1
      const expected = Array.from(keys, (key, value) => ({ key, value }))
      expected.sort((a, b) => a.key - b.key)
      const values = Uint32Array.from(keys.keys())
      sortByKey(keys, values)
      expect(Array.from(keys)).toEqual(expected.map(({ key }) => key))
      expect(Array.from(values)).toEqual(expected.map(({ value }) => value))
    }
  }
})
