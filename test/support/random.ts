import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '@skillpass/server/testing'

let made = 0

/**
 * Random source with ascending ids. The test clock does not move, and records of the same instant
 * are listed by id, so random ids would change the order in each run.
 */
export const testRandom: Random = {
  bytes: randomBytes,
  uuid: () => (++made).toString(16).padStart(8, '0') + randomUUID().slice(8),
}

/** Returns a generator of numbers from 0 to 1 (mulberry32), the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Picks an element of a list. Returns undefined if the list is empty. */
export const pick = <T>(list: readonly T[], random: () => number): T | undefined =>
  list[Math.floor(random() * list.length)]

/** Returns a shuffled copy of an array. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swap = order[i] as T
    order[i] = order[j] as T
    order[j] = swap
  }
  return order
}
