import { LENGTHS } from '@skillpass/server/search/constants/constants'
import { POSITIONED } from '@skillpass/server/search/document/forward-index'
import { END } from '@skillpass/server/search/document/word-units'
import { type Collection, createCollection } from '@skillpass/server/search/segment/collection'
import { createSegmentBuilder } from '@skillpass/server/search/segment/segment-builder'
import { expect, test } from 'vitest'

/** Adds an empty document that takes so many units. */
function add(collection: Collection, slot: number, units: number): void {
  collection.add({
    slot,
    nameHash: 0,
    lengths: new Uint8Array(LENGTHS),
    units: new Uint16Array(units).fill(END, 0, POSITIONED),
    stored: new Uint8Array(),
  })
}

test('knows how long the live documents are as they come, go and become a segment', () => {
  const collection = createCollection()
  for (const [slot, units] of [20, 30, 40].entries()) add(collection, slot, units)
  expect(collection.liveUnits).toBe(90)
  collection.remove(0)
  expect(collection.liveUnits).toBe(70)
  collection.remove(2)
  collection.remove(2)
  expect(collection.liveUnits).toBe(30)
  const basis = { groups: new Uint32Array(1), entries: 1, norms: new Float64Array(LENGTHS * 256) }
  collection.seal((documents) => createSegmentBuilder()(documents, basis))
  expect(collection.liveUnits).toBe(0)
  expect(collection.size).toBe(1)
  collection.remove(1)
  expect(collection.liveUnits).toBe(0)
})
