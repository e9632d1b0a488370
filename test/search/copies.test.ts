import { behindOriginals } from '@skillpass/server/search/query/behind-originals'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const hit = fc.record({
  number: fc.nat({ max: 20 }),
  originals: fc.array(fc.nat({ max: 9 }), { maxLength: 2 }),
})

test('near-copies rank behind their originals with no higher numbers, and scores never rise', () => {
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 10 }), (list) => {
      const numbers = list.map(({ number }) => number / 20).sort((a, b) => b - a)
      const isCopy = (i: number) => i % 2 === 1
      const originalsOf = ({ slot }: { slot: number }) =>
        isCopy(slot) ? (list[slot]?.originals ?? []).filter((each) => !isCopy(each)) : []
      // Slot 8 is the youngest skill if it is not among the hits. Other missing originals are older.
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
