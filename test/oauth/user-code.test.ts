import { makeUserCode } from '@skillpass/server/oauth/device'
import { systemRandom } from '@skillpass/server/runtime/time'
import { expect, test } from 'vitest'

test('a user code has eight of twenty consonants, evenly distributed', () => {
  const counts = new Map<string, number>()
  const codes = new Set<string>()
  for (let i = 0; i < 1000; i++) {
    const code = makeUserCode(systemRandom)
    codes.add(code)
    for (const letter of code) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  expect(codes.size).toBe(1000)
  for (const code of codes) if (!/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code)) expect.fail(code)
  expect(counts.size).toBe(20)
  // Expected: 400 each. The tolerance is eight standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(160)
})
