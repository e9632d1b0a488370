import { createCounts } from '@skillpass/server/search/lexicon/counts'
import { describe, expect, test } from 'vitest'

const LARGE = [65_533, 65_534, 65_535, 65_536, 200_000]

describe('counts', () => {
  test('are exact beyond what two bytes hold, upward and downward', () => {
    const counts = createCounts()
    counts.reach(2)
    counts.add(1, 65_530)
    for (let count = 65_531; count <= 65_540; count++) {
      counts.add(1, 1)
      expect(counts.get(1)).toBe(count)
    }
    for (let count = 65_539; count >= 65_530; count--) {
      counts.add(1, -1)
      expect(counts.get(1)).toBe(count)
    }
    expect([counts.get(0), counts.get(2)]).toEqual([0, 0])
  })

  test('take in any number at once', () => {
    const counts = createCounts()
    counts.reach(LARGE.length)
    LARGE.forEach((count, number) => {
      counts.add(number, count)
    })
    expect(LARGE.map((_, number) => counts.get(number))).toEqual(LARGE)
  })

  test('are the same when they were saved', () => {
    const saved = Uint32Array.from([0, 7, ...LARGE])
    const counts = createCounts(saved)
    expect(counts.save(saved.length)).toEqual(saved)
    expect(counts.save(2)).toEqual(saved.subarray(0, 2))
    counts.add(3, 1)
    expect(saved[3]).toBe(65_534)
  })
})
