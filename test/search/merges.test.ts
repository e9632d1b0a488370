import { setImmediate as turn } from 'node:timers/promises'
import { createSteps } from '@skillpass/server/internal/runtime/steps'
import { createSkillIndex } from '@skillpass/server/internal/search/index'
import { expect, test } from 'vitest'
import { seededRandom } from '../support/random.ts'

const textOf = (slot: number, edition: number) => ({
  name: `Tool ${slot % 7} of subject ${slot}`,
  slug: `tool-${slot}`,
  description: `Handles subject ${slot} in edition ${edition}`,
  tags: [],
  readme: `# Subject ${slot}\n\nEdition ${edition} explains subject ${slot} and topic ${slot % 50}.`,
})

test('merges lose no skill that is added, changed or removed while they run', async () => {
  const index = createSkillIndex(createSteps(), (error) => expect.unreachable(String(error)))
  const random = seededRandom(11)
  const editions = new Map<number, number>()
  for (let change = 0; change < 1500; change++) {
    const slot = Math.floor(random() * 600)
    if (random() < 0.25) {
      index.remove(slot)
      editions.delete(slot)
    } else {
      index.put(slot, textOf(slot, change))
      editions.set(slot, change)
    }
    if (change % 25 === 0) await turn()
  }
  await index.settled()
  const fresh = createSkillIndex(createSteps())
  fresh.beginLoad()
  for (const [slot, edition] of editions) fresh.put(slot, textOf(slot, edition))
  fresh.endLoad()

  const viewOf = (slot: number) => ({
    ...{
      id: `${slot}`,
      createdAt: 0,
      voteBalance: 0,
      demotion: 1,
      isEligible: true,
      originals: [],
    },
  })
  expect(index.size).toBe(editions.size)
  for (const [slot, edition] of [...editions].slice(0, 60)) {
    const ask = `subject ${slot} edition ${edition}`
    const [merged, built] = [index, fresh].map((each) => {
      const [hit] = each.resolve(ask, { limit: 5, threshold: 0 }, viewOf).hits
      const { slots } = each.search(ask)
      return { hit, found: [...slots].sort((a, b) => a - b) }
    })
    expect(merged?.hit?.slot).toBe(slot)
    expect(merged?.hit?.score).toBeCloseTo(built?.hit?.score ?? 0, 1)
    expect(merged?.found).toEqual(built?.found)
  }
})
