import { describe, expect, test } from 'vitest'
import { oneProcessor } from '../../support/rounds.ts'
import { startTestServer } from '../../support/server.ts'
import { publish } from '../../support/skills.ts'
import { until } from '../../support/waiting.ts'

/** Misspelt, so that its ranking takes long. */
const task =
  'fill in a PDF form with speradsheet vlaues, chekc the feilds, corect mistkaes, send the docment to a custmer and arhcive it'

describe.skipIf(oneProcessor !== '')(`resolve under load${oneProcessor}`, async () => {
  const server = await startTestServer()

  /** How many rankings were made by the main thread, another thread or from memory. */
  async function rankings(by: 'main' | 'thread' | 'memory'): Promise<number> {
    const text = await (await server.http('/metrics')).text()
    const line = new RegExp(`^skillpass_rankings_total\\{by="${by}"\\} (\\d+)$`, 'm').exec(text)
    return Number(line?.[1] ?? 0)
  }

  test('resolve uses a second thread under load, answers the same, and shows a new skill at once', async () => {
    const agent = await server.agent('publisher')
    await publish(agent, { slug: 'pdf-forms', description: 'Fills in PDF forms.' })
    let asked = 0
    /** Resolves with a threshold that no former request had, so that nothing is remembered. */
    const resolve = () =>
      server.client.registry.skills.resolve({ query: { task, threshold: 1e-4 + ++asked * 1e-9 } })
    const { data } = await resolve()
    expect(data).toHaveLength(1)
    expect(await rankings('main')).toBeGreaterThan(0)
    await until('another thread ranks', async () => {
      for (const answer of await Promise.all(Array.from({ length: 20 }, resolve))) {
        expect(answer.data).toEqual(data)
      }
      return (await rankings('thread')) >= 10
    })
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
  })
})

test('a task that is resolved again is answered from memory', async () => {
  const server = await startTestServer()
  const resolve = () => server.client.registry.skills.resolve({ query: { task } })
  const first = await resolve()
  for (let time = 0; time < 2; time++) expect(await resolve()).toEqual(first)
  const metrics = await (await server.http('/metrics')).text()
  expect(metrics).toMatch(/^skillpass_rankings_total\{by="memory"\} [12]$/m)
})
