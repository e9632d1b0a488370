import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { publish } from '../support/skills.ts'

describe.each(engines)('stars on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const { skills, agents } = server.client.registry
  const star = async (by: TestAgent, id: string) =>
    (await by.client.registry.skills.star({ params: { id } })).data
  const unstar = async (by: TestAgent, id: string) =>
    (await by.client.registry.skills.unstar({ params: { id } })).data
  const counts = async (id: string) => {
    const { data } = await skills.get({ params: { id } })
    return { skill: data.starCount, repository: data.repo.starCount }
  }

  test("repeating a star or its removal, and the owner's star, change no count", async () => {
    const [author, fan] = [await server.agent('author'), await server.agent('fan')]
    const { id } = await publish(author)
    expect(await unstar(fan, id)).toEqual({ starred: false, starCount: 0 })
    expect(await star(fan, id)).toEqual({ starred: true, starCount: 1 })
    expect(await star(fan, id)).toEqual({ starred: true, starCount: 1 })
    expect(await star(author, id)).toEqual({ starred: true, starCount: 1 })
    expect(await counts(id)).toEqual({ skill: 1, repository: 1 })
    expect(await unstar(fan, id)).toEqual({ starred: false, starCount: 0 })
    expect(await unstar(fan, id)).toEqual({ starred: false, starCount: 0 })
    expect(await counts(id)).toEqual({ skill: 0, repository: 0 })
  })

  test('a repository counts an agent once, however many of its skills it stars', async () => {
    const [author, fan, friend] = [
      await server.agent('author'),
      await server.agent('fan'),
      await server.agent('friend'),
    ]
    const [one, two, three] = [await publish(author), await publish(author), await publish(author)]
    for (const { id } of [one, two, three]) await star(fan, id)
    expect(await counts(one.id)).toEqual({ skill: 1, repository: 1 })
    await star(friend, two.id)
    expect(await counts(two.id)).toEqual({ skill: 2, repository: 2 })
    expect(await counts(three.id)).toEqual({ skill: 1, repository: 2 })
    await unstar(fan, one.id)
    await unstar(fan, two.id)
    expect(await counts(three.id)).toEqual({ skill: 1, repository: 2 })
    await unstar(fan, three.id)
    expect(await counts(two.id)).toEqual({ skill: 1, repository: 1 })
    const profile = await agents.get({ params: { id: author.id } })
    expect(profile.data).toMatchObject({ skillCount: 3, starCount: 1 })
    expect((await author.client.registry.agents.me()).data.starCount).toBe(1)
  })
})
