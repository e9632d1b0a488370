import { makeUserCode, readUserCode } from '@skillpass/server/oauth/user-code'
import { systemRandom } from '@skillpass/server/runtime/time'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('codes have eight of twenty consonants, each as often as the others', () => {
  const counts = new Map<string, number>()
  const codes = new Set<string>()
  for (let i = 0; i < 5000; i++) {
    const code = makeUserCode(systemRandom)
    codes.add(code)
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    for (const letter of code) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  expect(codes.size).toBe(5000)
  expect(counts.size).toBe(20)
  // 2,000 each; eight standard deviations.
  for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(350)
})

test('any other text is no code, and none breaks the reader', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(readUserCode(text) ?? 'BCDFGHJK').toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
    }),
  )
})
