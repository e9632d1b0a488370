import {
  demotion,
  type TrustEvidence,
  trustScore,
  voteTrust,
  voteWeight,
  wilsonLowerBound,
} from '@skillpass/server/registry/votes/trust'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const day = 86_400_000
const time = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2036, 0, 1) })
const votes = fc.nat({ max: 10_000 })
const fetches = fc.nat({ max: 10_000_000 })

/** Whole votes of one time, as the store keeps them. */
const evidence = (helpful: number, unhelpful: number, networks: number, at: number) => ({
  helpfulWeight: helpful * voteWeight(at),
  unhelpfulWeight: unhelpful * voteWeight(at),
  networkFetchCount: networks,
})
const score = (of: TrustEvidence, now: number) => trustScore(of, now)

test('the trust score is between 0 and 1', () => {
  fc.assert(
    fc.property(votes, votes, fetches, time, fc.nat({ max: 4000 }), (h, u, f, at, days) => {
      const given = score(evidence(h, u, f, at), at + days * day)
      expect(given).toBeGreaterThanOrEqual(0)
      expect(given).toBeLessThanOrEqual(1)
    }),
  )
})

test('a helpful vote or another network that reads never lowers the trust score', () => {
  fc.assert(
    fc.property(votes, votes, fetches, time, (h, u, f, now) => {
      const before = score(evidence(h, u, f, now), now)
      expect(score(evidence(h + 1, u, f, now), now)).toBeGreaterThanOrEqual(before - 1e-12)
      expect(score(evidence(h, u, f + 1, now), now)).toBeGreaterThanOrEqual(before - 1e-12)
    }),
  )
})

test('an unhelpful vote never raises the trust score', () => {
  fc.assert(
    fc.property(votes, votes, fetches, time, (h, u, f, now) => {
      const before = score(evidence(h, u, f, now), now)
      expect(score(evidence(h, u + 1, f, now), now)).toBeLessThanOrEqual(before + 1e-12)
    }),
  )
})

test('a late helpful vote on top of old votes never lowers the trust score', () => {
  fc.assert(
    fc.property(votes, votes, fc.nat({ max: 4000 }), time, (h, u, days, now) => {
      const old = evidence(h, u, 0, now - days * day)
      const more = { ...old, helpfulWeight: old.helpfulWeight + voteWeight(now) }
      expect(score(more, now)).toBeGreaterThanOrEqual(score(old, now) - 1e-12)
    }),
  )
})

test('one helpful vote never beats ninety of a hundred, whatever the fetches', () => {
  fc.assert(
    fc.property(fetches, fetches, time, fc.nat({ max: 365 }), (some, others, at, days) => {
      const now = at + days * day
      const one = score(evidence(1, 0, some, at), now)
      expect(one).toBeLessThan(score(evidence(90, 10, others, at), now))
    }),
  )
})

test('fetches alone give a trust score of at most 0.15', () => {
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

test('wilsonLowerBound is the lower bound of the 95 % Wilson interval', () => {
  expect(wilsonLowerBound(90, 10)).toBeCloseTo(0.8256, 4)
  expect(wilsonLowerBound(1, 0)).toBeCloseTo(0.2065, 4)
  expect(wilsonLowerBound(0, 5)).toBe(0)
  expect(wilsonLowerBound(0, 0)).toBe(0)
})

test('votes order equals by what is sure: three helpful ones before none, and none before three unhelpful ones', () => {
  const order = (helpful: number, unhelpful: number) =>
    voteTrust(evidence(helpful, unhelpful, 0, 0), 0)
  expect([order(3, 0), order(0, 0), order(0, 3)]).toEqual([0.4, 0, -0.4])
  expect(order(10, 2)).toBeGreaterThan(order(2, 0))
})

/** The share of a skill's rank that is left by votes of one time. */
const left = (helpful: number, unhelpful: number, at: number, now = at) =>
  demotion(evidence(helpful, unhelpful, 0, at), now)

test('votes leave between half and all of a rank, and no votes leave all of it', () => {
  fc.assert(
    fc.property(votes, votes, time, (h, u, at) => {
      expect(left(h, u, at)).toBeGreaterThanOrEqual(0.5)
      expect(left(h, u, at)).toBeLessThanOrEqual(1)
      expect(left(0, 0, at)).toBe(1)
    }),
  )
})

test('helpful votes never lower a rank, unhelpful ones never raise it', () => {
  fc.assert(
    fc.property(votes, votes, time, (h, u, at) => {
      expect(left(h + 1, u, at)).toBeGreaterThanOrEqual(left(h, u, at) - 1e-12)
      expect(left(h, u + 1, at)).toBeLessThanOrEqual(left(h, u, at) + 1e-12)
    }),
  )
})

test('a rank is lowered only if the votes are clearly against the skill', () => {
  fc.assert(
    fc.property(votes, time, (some, at) => {
      expect(left(some + 1, some, at)).toBe(1)
    }),
  )
  const now = Date.UTC(2027, 0, 1)
  expect(left(0, 1, now)).toBe(1)
  expect(left(0, 5, now)).toBe(1)
  expect(left(0, 30, now)).toBeCloseTo(0.5 + (0.5 * 0.1135) / 0.4, 3)
  expect(left(10, 30, now)).toBeGreaterThan(left(0, 30, now))
})

test('one more unhelpful vote takes at most a twelfth of a rank', () => {
  fc.assert(
    fc.property(votes, votes, time, (h, u, at) => {
      expect(left(h, u, at) - left(h, u + 1, at)).toBeLessThan(1 / 12)
    }),
  )
})
