import { type Origin, originalsOf } from '@skillpass/server/registry/originals'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const day = 86_400_000

/** Hits of slots 0, 1, 2 …, each with its near-copies. */
const hits = (...copies: number[][]) => copies.map((list, slot) => ({ slot, copies: list }))

/** The originals, where slots stand in the order of their ids. */
const originals = (list: ReturnType<typeof hits>, origins: readonly Origin[]) =>
  Object.fromEntries(
    originalsOf(
      list,
      (slot) => origins[slot],
      (a, b) => a - b,
    ),
  )

describe('the original of near-copies', () => {
  it('is the oldest, whatever the ranking', () => {
    const origins = [3, 1, 2].map((age) => ({ trust: 0, createdAt: age * day }))
    expect(originals(hits([1, 2], [0, 2], [0, 1]), origins)).toEqual({ 0: 1, 1: 1, 2: 1 })
  })

  it('is a younger one that is clearly more trusted', () => {
    const origins = (trust: number) => [
      { trust: 0.5, createdAt: 1 },
      { trust, createdAt: 2 },
    ]
    expect(originals(hits([1], [0]), origins(0.61))).toEqual({ 0: 1, 1: 1 })
    expect(originals(hits([1], [0]), origins(0.59))).toEqual({ 0: 0, 1: 0 })
  })

  it('is the one with the smaller id where nothing else decides', () => {
    const same = { trust: 0.2, createdAt: 1 }
    expect(originals(hits([2], [2], [0, 1]), [same, same, same])).toEqual({ 0: 0, 1: 0, 2: 0 })
  })

  it('is found beyond the hits themselves', () => {
    const origins = [2, 1].map((createdAt) => ({ trust: 0, createdAt }))
    expect(originals(hits([1]), origins)).toEqual({ 0: 1, 1: 1 })
  })

  it('is one for a whole chain of copies, and none for a skill without any', () => {
    const origins = [4, 3, 2, 1].map((createdAt) => ({ trust: 0, createdAt }))
    expect(originals(hits([1], [0, 2], [1], []), origins)).toEqual({ 0: 2, 1: 2, 2: 2 })
  })

  it('is not a skill that has gone meanwhile', () => {
    const origin = { trust: 0, createdAt: 1 }
    const found = originalsOf(
      hits([1], [0]),
      (slot) => (slot === 0 ? origin : undefined),
      (a, b) => a - b,
    )
    expect([...found]).toEqual([[0, 0]])
  })

  it('does not depend on the order of the hits', () => {
    const origin = fc.record({
      trust: fc.double({ min: 0, max: 1, noNaN: true }),
      createdAt: fc.nat({ max: 3 }),
    })
    const pairs = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(origin, { minLength: 8, maxLength: 8 }), pairs, (origins, copied) => {
        const list = origins.map((_, slot) => ({
          slot,
          copies: copied.flatMap(([a, b]) =>
            a === b ? [] : a === slot ? [b] : b === slot ? [a] : [],
          ),
        }))
        expect(originals([...list].reverse(), origins)).toEqual(originals(list, origins))
      }),
    )
  })
})
