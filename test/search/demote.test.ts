import { type DemotedHit, demote } from '@skillpass/server/search/query/demote'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

interface Hit extends DemotedHit {
  id: number
}

const share = fc.double({ min: 0.001, max: 1, noNaN: true })
const factor = fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 1, noNaN: true }))

/** Rankings as the index gives them: neither score nor confidence rises. */
const rankings = fc
  .array(fc.record({ score: share, confidence: share, factor }), { maxLength: 20 })
  .map((drawn): Hit[] => {
    const falling = (numbers: number[]) => numbers.sort((a, b) => b - a)
    const scores = falling(drawn.map(({ score }) => score))
    const confidences = falling(drawn.map(({ confidence }) => confidence))
    return drawn.map((hit, id) => ({
      id,
      score: scores[id] ?? 0,
      confidence: confidences[id] ?? 0,
      view: { demotion: hit.factor },
    }))
  })

describe('demotion of hits', () => {
  test('demotion lowers hits, raises none and loses none', () => {
    fc.assert(
      fc.property(rankings, (hits) => {
        const after = demote(hits)
        expect(after.map(({ id }) => id).sort((a, b) => a - b)).toEqual(hits.map(({ id }) => id))
        for (const hit of after) {
          const before = hits[hit.id]
          expect(hit.score).toBeLessThanOrEqual((before?.score ?? 0) * hit.view.demotion)
          expect(hit.confidence).toBeLessThanOrEqual((before?.confidence ?? 0) * hit.view.demotion)
        }
      }),
    )
  })

  test('a demoted hit ranks behind one that fits equally well', () => {
    fc.assert(
      fc.property(share, share, fc.double({ min: 0.5, max: 0.99, noNaN: true }), (s, c, factor) => {
        const hit = (id: number, demotion: number) => ({
          id,
          score: s,
          confidence: c,
          view: { demotion },
        })
        expect(demote([hit(0, factor), hit(1, 1)]).map(({ id }) => id)).toEqual([1, 0])
      }),
    )
  })
})
