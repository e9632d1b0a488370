import {
  type TrustEvidence,
  trustScore,
  voteWeight,
  wilsonLowerBound,
} from '@skillpass/server/registry/trust'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const day = 86_400_000
const time = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2036, 0, 1) })
const votes = fc.nat({ max: 10_000 })
const fetches = fc.nat({ max: 10_000_000 })

/** Votes of one time, as the store keeps them. */
const evidence = (helpful: number, unhelpful: number, fetchCount: number, at: number) => ({
  helpfulWeight: helpful * voteWeight(at),
  unhelpfulWeight: unhelpful * voteWeight(at),
  fetchCount,
})
const score = (of: TrustEvidence, now: number) => trustScore(of, now)

test('is a share, whatever the evidence', () => {
  fc.assert(
    fc.property(votes, votes, fetches, time, fc.nat({ max: 4000 }), (h, u, f, at, days) => {
      const given = score(evidence(h, u, f, at), at + days * day)
      expect(given).toBeGreaterThanOrEqual(0)
      expect(given).toBeLessThanOrEqual(1)
    }),
  )
})

test('is 0 without votes and fetches', () => {
  fc.assert(
    fc.property(time, (now) => {
      expect(score(evidence(0, 0, 0, now), now)).toBe(0)
    }),
  )
})

test('is never lowered by one more helpful vote or one more reader', () => {
  fc.assert(
    fc.property(votes, votes, fetches, time, (h, u, f, now) => {
      const before = score(evidence(h, u, f, now), now)
      expect(score(evidence(h + 1, u, f, now), now)).toBeGreaterThanOrEqual(before - 1e-12)
      expect(score(evidence(h, u, f + 1, now), now)).toBeGreaterThanOrEqual(before - 1e-12)
    }),
  )
})

test('is never raised by one more unhelpful vote', () => {
  fc.assert(
    fc.property(votes, votes, fetches, time, (h, u, f, now) => {
      const before = score(evidence(h, u, f, now), now)
      expect(score(evidence(h, u + 1, f, now), now)).toBeLessThanOrEqual(before + 1e-12)
    }),
  )
})

test('a late helpful vote on old ones never lowers it either', () => {
  fc.assert(
    fc.property(votes, votes, fc.nat({ max: 4000 }), time, (h, u, days, now) => {
      const old = evidence(h, u, 0, now - days * day)
      const more = { ...old, helpfulWeight: old.helpfulWeight + voteWeight(now) }
      expect(score(more, now)).toBeGreaterThanOrEqual(score(old, now) - 1e-12)
    }),
  )
})

test('one vote never beats ninety of a hundred, however often the one is fetched', () => {
  fc.assert(
    fc.property(fetches, fetches, time, fc.nat({ max: 365 }), (some, others, at, days) => {
      const now = at + days * day
      const one = score(evidence(1, 0, some, at), now)
      expect(one).toBeLessThan(score(evidence(90, 10, others, at), now))
    }),
  )
})

test('fetches alone never make a skill trusted', () => {
  fc.assert(
    fc.property(fetches, time, (count, now) => {
      expect(score(evidence(0, 0, count, now), now)).toBeLessThanOrEqual(0.15 + 1e-12)
    }),
  )
})

test('a vote weighs half after 180 days', () => {
  fc.assert(
    fc.property(time, (at) => {
      expect(voteWeight(at) / voteWeight(at + 180 * day)).toBeCloseTo(0.5, 12)
    }),
  )
})

test('is the lower bound of the 95 % Wilson interval', () => {
  expect(wilsonLowerBound(90, 10)).toBeCloseTo(0.8256, 4)
  expect(wilsonLowerBound(1, 0)).toBeCloseTo(0.2065, 4)
  expect(wilsonLowerBound(0, 5)).toBe(0)
  expect(wilsonLowerBound(0, 0)).toBe(0)
})
