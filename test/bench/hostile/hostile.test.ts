import { describe, expect, test } from 'vitest'
import { corpusMissing } from '../../support/corpus.ts'
import { BROAD_ATTACKS } from './attackers.ts'
import { attackCatalogues } from './catalogues.ts'

const missing = corpusMissing()

/** The short form of `npm run bench -- hostile`. */
describe.skipIf(missing !== undefined)(
  `hostile skills in the corpus${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    test('word lists never come first among twenty real skills, and honest skills still do', async () => {
      const { attacks, honest } = await attackCatalogues({
        tasks: 12,
        sizes: [20],
        read: 1500,
      })
      const [{ first: right } = { first: 0 }] = honest
      expect(right).toBeGreaterThan(0.8)
      const lists = attacks.filter(({ attack }) => BROAD_ATTACKS.some((kind) => kind === attack))
      expect(lists).toHaveLength(BROAD_ATTACKS.length)
      for (const { attack, tasks, first, mostConfidence } of lists) {
        expect({ attack, tasks, first }).toEqual({ attack, tasks: 12, first: 0 })
        expect(mostConfidence).toBeLessThan(0.3)
      }
      const pointed = attacks.filter(({ attack }) => /^repetition|^promise/.test(attack))
      expect(pointed).toHaveLength(2)
      for (const { first } of pointed) expect(first).toBeLessThanOrEqual(1)
    })
  },
)
