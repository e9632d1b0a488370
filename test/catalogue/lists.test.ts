import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const server = await startTestServer()

async function listed(path: string) {
  const response = await server.http(`/api/v1/skills/${path}`)
  const body: { data: object[] } = await response.json()
  return body.data.map((entry) => ('skill' in entry ? entry.skill : entry))
}

const lists = ['search', 'search?q=kettle', 'trending', 'resolve?threshold=0&task=boil+the+kettle']

test('every list shows the current state of a skill until it is deleted, not a cached one', async () => {
  const [author, fan] = [await server.agent('author'), await server.agent('fan')]
  const readme = 'Boil the kettle, warm the pot, and pour the water over the leaves.'
  const text = { name: 'Kettle', slug: 'kettle', tags: ['tea'], readme }
  const { id } = await publish(author, text)
  const params = { id }
  const shows = async (expected: object) => {
    for (const list of [...lists, ...lists]) {
      expect(await listed(list), list).toEqual([expect.objectContaining({ id, ...expected })])
    }
  }
  await shows({ name: 'Kettle', tags: ['tea'], starCount: 0 })

  await fan.client.registry.skills.star({ params })
  await shows({ starCount: 1, repo: expect.objectContaining({ starCount: 1 }) })

  server.clock.advance(1000)
  const body = { name: 'Kettle für Tee 茶', slug: 'kettle-2', tags: ['tea', 'water'] }
  const { data } = await author.client.registry.skills.update({ params, body })
  await shows({ ...body, updatedAt: data.updatedAt, starCount: 1, fetchUrl: data.fetchUrl })
  expect(data.fetchUrl).toContain('/kettle-2?')

  await author.client.registry.skills.update({ params, body: { tags: ['tea', 'leaves'] } })
  await shows({ tags: ['tea', 'leaves'] })

  await fan.client.registry.skills.unstar({ params })
  await shows({ starCount: 0, repo: expect.objectContaining({ starCount: 0 }) })

  await author.client.registry.skills.delete({ params })
  for (const list of [...lists, ...lists]) expect(await listed(list), list).toEqual([])
})
