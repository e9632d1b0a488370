import { expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { raceAtTwoNodes } from './two-nodes.ts'

test.skipIf(!engines.includes('postgres'))(
  'a secret that many use at once at two processes on one Postgres is good for exactly one',
  async () => {
    const results = await raceAtTwoNodes(24)
    for (const { kind, trials, single, ms } of results) {
      console.log(`${kind} at two nodes: exactly one winner ${single} of ${trials} times, ${ms} ms`)
    }
    expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(results).toHaveLength(3)
  },
  60_000,
)
