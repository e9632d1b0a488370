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
