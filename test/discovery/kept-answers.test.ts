import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const server = await startTestServer()

test('search, resolve and a skill that were just asked for show a change at once', async () => {
  const author = await server.agent('author')
  const skill = await publish(author, { name: 'Quokka counter', description: 'Counts quokkas.' })
  const { skills } = server.client.registry
  const read = async () => {
    const found = await skills.search({ query: { q: 'quokka' } })
    const resolved = await skills.resolve({ query: { task: 'count quokkas', threshold: 0 } })
    const { data } = await skills.get({ params: { id: skill.id } })
    return [found.data[0]?.starCount, resolved.data[0]?.skill.starCount, data.starCount]
  }
  expect(await read()).toEqual([0, 0, 0])
  const fan = await server.agent('fan')
  await fan.client.registry.skills.star({ params: { id: skill.id } })
  expect(await read()).toEqual([1, 1, 1])
  await author.client.registry.skills.delete({ params: { id: skill.id } })
  await expect(read()).rejects.toMatchObject({ status: 404 })
})
