import { demotion, trustScore, voteWeight } from '@skillpass/server/internal/catalogue/trust'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const day = 86_400_000
const time = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2036, 0, 1) })
const votes = fc.nat({ max: 10_000 })
const fetches = fc.nat({ max: 10_000_000 })

/** Sums of full votes cast at one time. */
const evidence = (helpful: number, unhelpful: number, networks: number, at: number) => ({
  helpfulWeight: helpful * voteWeight(at),
  unhelpfulWeight: unhelpful * voteWeight(at),
  networkFetchCount: networks,
})

test('fetches without votes result in a trust score of at most 0.15', () => {
  fc.assert(
    fc.property(fetches, time, (count, now) => {
      expect(trustScore(evidence(0, 0, count, now), now)).toBeLessThanOrEqual(0.15 + 1e-12)
    }),
  )
})

test('a vote has half its weight after 180 days', () => {
  fc.assert(
    fc.property(time, (at) => {
      expect(voteWeight(at) / voteWeight(at + 180 * day)).toBeCloseTo(0.5, 12)
    }),
  )
})

/** Returns the demotion by full votes cast at one time. */
const demotionBy = (helpful: number, unhelpful: number, at: number, now = at) =>
  demotion(evidence(helpful, unhelpful, 0, at), now)

test('votes lower the rank of a skill only if it is clearly unhelpful', () => {
  fc.assert(
    fc.property(votes, time, (some, at) => {
      expect(demotionBy(some + 1, some, at)).toBe(1)
    }),
  )
  const now = Date.UTC(2027, 0, 1)
  expect(demotionBy(0, 1, now)).toBe(1)
  expect(demotionBy(0, 5, now)).toBe(1)
  expect(demotionBy(0, 30, now)).toBeCloseTo(0.5 + (0.5 * 0.1135) / 0.4, 3)
  expect(demotionBy(10, 30, now)).toBeGreaterThan(demotionBy(0, 30, now))
})
