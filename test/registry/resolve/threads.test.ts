import { describe, expect, test } from 'vitest'
import { oneProcessor } from '../../support/processors.ts'
import { startTestServer } from '../../support/server.ts'
import { publish } from '../../support/skills.ts'

/** Misspelt, so that it takes long. */
const task =
  'fill in a PDF form with speradsheet vlaues, chekc the feilds, corect mistkaes, send the docment to a custmer and arhcive it'

describe(`resolve under load${oneProcessor}`, async () => {
  const server = await startTestServer({ env: { RATE_LIMIT_READS_PER_MINUTE: '0' } })

  /** How many rankings were made where. */
  async function rankings(by: string): Promise<number> {
    const text = await (await server.http('/metrics')).text()
    const line = new RegExp(`^skillpass_rankings_total\\{by="${by}"\\} (\\d+)$`, 'm').exec(text)
    return Number(line?.[1] ?? 0)
  }

  test.skipIf(oneProcessor !== '')(
    'uses another core, answers the same as without, and shows a new skill at once',
    async () => {
      const agent = await server.agent('publisher')
      await publish(agent, { slug: 'pdf-forms', description: 'Fills in PDF forms.' })
      let asked = 0
      /** A task worded as nobody asked it before. */
      const resolve = () =>
        server.client.registry.skills.resolve({
          query: { task, threshold: 1e-4 + ++asked * 1e-9 },
        })
      const { data } = await resolve()
      expect(data).toHaveLength(1)
      while ((await rankings('thread')) < 50) {
        for (const answer of await Promise.all(Array.from({ length: 20 }, resolve))) {
          expect(answer.data).toEqual(data)
        }
      }
      for (let added = 0; added < 5; added++) {
        const before = await Promise.all([resolve(), resolve()])
        const [{ id }] = await Promise.all([
          publish(agent, { slug: `pdf-${added}`, description: `Fills in PDF forms, way ${added}` }),
          ...Array.from({ length: 4 }, resolve),
        ])
        const after = await Promise.all([resolve(), resolve()])
        for (const { data } of before) expect(data).toHaveLength(added + 1)
        for (const { data } of after) expect(data.map(({ skill }) => skill.id)).toContain(id)
      }
      expect(await rankings('main')).toBeGreaterThan(0)
      for (let time = 0; time < 3; time++) {
        await server.client.registry.skills.resolve({ query: { task } })
      }
      expect(await rankings('memory')).toBeGreaterThan(0)
    },
  )
})
