/**
 * Sorts numbers by an unsigned integer below 2^32, smallest first; those of the same one stay in
 * their order. Natively: a million takes about a tenth of a second.
 */
export function stableSortBy(items: Uint32Array, key: (item: number) => number): Uint32Array {
  const packed = new BigUint64Array(items.length)
  const halves = new Uint32Array(packed.buffer)
  for (let i = 0; i < items.length; i++) {
    halves[2 * i + low] = i
    halves[2 * i + high] = key(items[i] as number)
  }
  packed.sort()
  const sorted = new Uint32Array(items.length)
  for (let i = 0; i < items.length; i++) {
    sorted[i] = items[halves[2 * i + low] as number] as number
  }
  return sorted
}

/** Where the less and the more significant half of 64 bits lie in memory. */
const low = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1
const high = 1 - low
