import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '@skillpass/server/runtime/time'

let made = 0

/**
 * Randomness whose ids grow in the order they are made. The tests' clock stands still, and what was
 * made at one instant is listed by id: with ids of chance, another order in every run.
 */
export const testRandom: Random = {
  bytes: randomBytes,
  uuid: () => (++made).toString(16).padStart(8, '0') + randomUUID().slice(8),
}

/** Numbers from 0 to 1 (mulberry32), the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of a list; nothing of an empty one. */
export const pick = <T>(list: readonly T[], random: () => number): T | undefined =>
  list[Math.floor(random() * list.length)]

/** A new array in random order. */
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
