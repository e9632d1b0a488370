import { createCopies } from '@skillpass/server/internal/copies/copies'
import { expect, test } from 'vitest'

const passages = Array.from({ length: 16 }, (_, at) => at + 1)

test('adding a copy reads only the claims that name it, however many claims and other copies there are', () => {
  const ids = new Map<string, number>()
  const copies = createCopies((id) => ids.get(id))
  let reads = 0
  const put = (slot: number) => {
    const id = String(slot)
    ids.set(id, slot)
    const sample = { count: 16, passages }
    const counted = {
      get sample() {
        reads++
        return sample
      },
    }
    copies.put(
      slot,
      Object.assign(counted, { id, publisher: id, createdAt: slot, times: undefined }),
    )
    copies.settle(() => {})
  }
  const claim = (slot: number, copyOf: string) =>
    copies.setClaim(slot, {
      by: 'operator',
      get copyOf() {
        reads++
        return copyOf
      },
    })
  for (let slot = 0; slot < 500; slot++) put(slot)
  for (let slot = 1; slot < 500; slot++) claim(slot, '1000')
  claim(499, '500')
  copies.settle(() => {})
  reads = 0
  put(500)
  expect(copies.parentsOf(499)).toEqual([500])
  expect(copies.parentsOf(500)).toEqual([0])
  expect(reads).toBeLessThan(100)
})
