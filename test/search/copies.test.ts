import { behindOriginals } from '@skillpass/server/search/query/behind-originals'
import { createCopies } from '@skillpass/server/trust/copies/copies'
import { samplePassages } from '@skillpass/server/trust/copies/passages'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const key = 42
const text = fc
  .array(fc.stringMatching(/^[a-z]{2,6}$/), { minLength: 60, maxLength: 200 })
  .map((words) => words.join(' '))

describe('a sample of passages', () => {
  test('a sample does not depend on case, punctuation, layout or invisible characters', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const dressed = plain
          .split(' ')
          .map((each, i) =>
            i % 2 === 0 ? `**${each.toUpperCase()}**,` : `${each[0]}\u200b\u00ad${each.slice(1)}\n`,
          )
        expect(samplePassages(dressed.join(' '), key)).toEqual(samplePassages(plain, key))
      }),
    )
  })
})

describe('copies', () => {
  test('a skill that includes a smaller text as a third is no copy, and one that doubles it is', () => {
    const words = (count: number, seed: number) =>
      Array.from({ length: count }, (_, i) =>
        ((Math.imul(i + seed, 0x9e3779b1) >>> 0) + 36 ** 5).toString(36),
      ).join(' ')
    const countTold = (own: number, added: number) => {
      let count = 0
      for (let n = 1; n <= 16; n++) {
        const copies = createCopies(() => undefined)
        const put = (slot: number, publisher: string, readme: string) => {
          const sample = samplePassages(readme, n * 7919)
          copies.put(slot, { id: publisher, publisher, createdAt: slot, sample, times: undefined })
        }
        put(0, 'attacker', words(added, 0))
        put(1, 'victim', `${words(own, 1000)} ${words(added, 0)}`)
        copies.settle(() => {})
        if (copies.isCopy(1)) count++
      }
      return count
    }
    for (const share of [0.15, 0.2, 0.25, 0.3]) {
      expect(countTold(400 * (1 - share), 400 * share)).toBe(0)
    }
    expect(countTold(200, 200)).toBeGreaterThan(14)
  })
})

describe('hits and their originals', () => {
  const hit = fc.record({
    number: fc.nat({ max: 20 }),
    originals: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
  })

  test('copies never rank before their originals or above their numbers, and numbers still fall', () => {
    fc.assert(
      fc.property(fc.array(hit, { maxLength: 10 }), (list) => {
        const numbers = list.map(({ number }) => number / 20).sort((a, b) => b - a)
        const isCopy = (i: number) => i % 2 === 1
        const originalsOf = ({ slot }: { slot: number }) =>
          isCopy(slot) ? (list[slot]?.originals ?? []).filter((each) => !isCopy(each)) : []
        // of those that are not among the hits, 8 is younger than all and the others are older
        const isYoungest = (slot: number) => slot === 8 && list.length <= 8
        const hits = list.map((_, slot) => {
          const originals = originalsOf({ slot }).map((original) => {
            return { slot: original, createdAt: isYoungest(original) ? 2 : 0 }
          })
          const number = numbers[slot] ?? 0
          return { slot, score: number, confidence: number, view: { createdAt: 1, originals } }
        })
        const placed = behindOriginals(hits)
        expect(placed.map(({ slot }) => slot).sort((a, b) => a - b)).toEqual(
          hits.map(({ slot }) => slot),
        )
        for (const [place, each] of placed.entries()) {
          expect(each.score).toBeLessThanOrEqual(placed[place - 1]?.score ?? 1)
          for (const original of originalsOf(each)) {
            if (isYoungest(original)) continue
            const theirs = placed.findIndex((other) => other.slot === original)
            expect(theirs).toBeLessThan(place)
            expect(each.confidence).toBeLessThanOrEqual(placed[theirs]?.confidence ?? 0)
            if (theirs === -1) expect(each.score).toBe(0)
          }
          const isFree = originalsOf(each).every(isYoungest)
          if (isFree) expect(each).toEqual(hits[each.slot])
        }
      }),
    )
  })
})
