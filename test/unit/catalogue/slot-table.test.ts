import { createSlotTable } from '@skillpass/server/registry/columns/slot-table'
import { expect, test } from 'vitest'
import { seededRandom } from '../../support/corpus/corpus.ts'

test.each<[string, (slot: number) => number]>([
  ['spread hashes', (slot) => Math.imul(slot + 1, 0x9e3779b1) >>> 0],
  ['hashes that share their first bits', (slot) => slot],
  ['hashes that share their last bits', (slot) => (slot << 18) >>> 0],
  ['a handful of hashes', (slot) => (slot % 5) * 0x33333333],
])('finds what was added and not removed, with %s', (_, hashOf) => {
  const table = createSlotTable(hashOf)
  const random = seededRandom(3)
  const held = new Set<number>()
  for (let i = 0; i < 6000; i++) {
    const slot = Math.floor(random() * 4000)
    if (held.delete(slot)) table.remove(slot)
    else {
      held.add(slot)
      table.add(slot)
    }
    // One that is not in may be removed too.
    if (i % 50 === 0 && !held.has(i)) table.remove(i)
  }
  for (let slot = 0; slot < 4000; slot++) {
    const found = table.find(hashOf(slot), (other) => other === slot)
    expect(found).toBe(held.has(slot) ? slot : undefined)
  }
})
