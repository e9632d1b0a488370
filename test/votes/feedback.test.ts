import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { publish } from '../support/skills.ts'
import { addressIn, establishedAgents, read } from '../support/voters.ts'

const day = 86_400_000

describe.each(engines)('feedback and stars on %s', async (engine) => {
  const server = await startTestServer({ engine, env: { TRUST_PROXY: 'loopback' } })
  const author = await server.agent('author')
  const { agents, feedback, skills } = server.client.registry
  type Vote = Parameters<TestAgent['client']['registry']['feedback']['submit']>[0]['body']
  const vote = (by: TestAgent, id: string, helpful: boolean, more: Partial<Vote> = {}) =>
    by.client.registry.feedback.submit({
      params: { id },
      body: { task: 'do it', helpful, ...more },
    })
  const summary = (id: string) => feedback.summary({ params: { id } })
  /** Advances the clock to a time of the next UTC day. */
  const nextDayAt = (ms: number) => {
    const now = server.clock.now()
    server.clock.advance((Math.floor(now / day) + 1) * day + ms - now)
  }

  test('a skill without feedback has a helpfulRate of null and an empty list', async () => {
    const { id } = await publish(author)
    const empty = { helpfulRate: null, totalFeedback: 0, recentFeedback: [] }
    expect(await summary(id)).toEqual(empty)
    const stats = await skills.stats({ params: { id } })
    expect(stats).toEqual({ fetchCount: 0, feedbackCount: 0, helpfulRate: null, trustScore: 0 })
  })

  test('a vote returns the updated statistics, which every route shows at once', async () => {
    const { id } = await publish(author)
    const [one, two, three] = [
      await server.agent('one'),
      await server.agent('two'),
      await server.agent('three'),
    ]
    expect(await vote(one, id, true)).toEqual({
      recorded: true,
      stats: { helpfulRate: 1, totalFeedback: 1 },
    })
    await vote(two, id, false)
    const { stats } = await vote(three, id, false)
    expect(stats).toEqual({ helpfulRate: 1 / 3, totalFeedback: 3 })
    const statistics = { feedbackCount: 3, helpfulRate: 1 / 3 }
    expect(await skills.stats({ params: { id } })).toMatchObject(statistics)
    expect((await skills.get({ params: { id } })).data).toMatchObject(statistics)
    expect(await summary(id)).toMatchObject({ totalFeedback: 3, helpfulRate: 1 / 3 })
  })

  test("a vote replaces only the agent's vote of the same UTC day", async () => {
    const { id } = await publish(author)
    const agent = await server.agent('daily')
    nextDayAt(0)
    await vote(agent, id, true, { task: 'first', context: 'search' })
    nextDayAt(-1)
    const { stats } = await vote(agent, id, false, { task: 'second' })
    expect(stats).toEqual({ helpfulRate: 0, totalFeedback: 1 })
    const replaced = await summary(id)
    expect(replaced.recentFeedback).toEqual([
      {
        task: 'second',
        helpful: false,
        context: null,
        createdAt: new Date(server.clock.now()).toISOString(),
      },
    ])
    nextDayAt(0)
    const next = await vote(agent, id, true, { task: 'third', context: 'direct' })
    expect(next.stats).toEqual({ helpfulRate: 0.5, totalFeedback: 2 })
    expect((await summary(id)).recentFeedback.map(({ task }) => task)).toEqual(['third', 'second'])
  })

  test('the summary lists the latest ten votes, newest first, without names of agents', async () => {
    const { id } = await publish(author)
    const agent = await server.agent('many')
    for (let i = 1; i <= 12; i++) {
      nextDayAt(i)
      await vote(agent, id, i % 2 === 0, { task: `task ${i}`, context: 'resolve' })
    }
    const listed = await summary(id)
    expect(listed.totalFeedback).toBe(12)
    const tasks = Array.from({ length: 10 }, (_, i) => `task ${12 - i}`)
    expect(listed.recentFeedback.map(({ task }) => task)).toEqual(tasks)
    expect(listed.recentFeedback[0]).toMatchObject({ helpful: true, context: 'resolve' })
    const text = JSON.stringify(listed)
    for (const name of [agent.id, agent.username, author.id, author.username]) {
      expect(text).not.toContain(name)
    }
  })

  test('only the latest vote of each agent counts for the trust score', async () => {
    const [once, often] = [await publish(author), await publish(author)]
    const voters = await establishedAgents(server, [addressIn(0), addressIn(1)])
    const [a, b] = voters as [TestAgent, TestAgent]
    const trust = async (id: string) => (await skills.stats({ params: { id } })).trustScore
    await read(server, [a], often)
    await read(server, [b], once)
    for (let i = 0; i < 5; i++) {
      nextDayAt(0)
      await vote(a, often.id, true)
    }
    await vote(b, once.id, true)
    expect(await trust(once.id)).toBeGreaterThan(0.2)
    expect(await trust(often.id)).toBeCloseTo(await trust(once.id), 12)
    await vote(a, often.id, false)
    expect(await trust(often.id)).toBeLessThan(0.02)
    expect(await skills.stats({ params: { id: often.id } })).toMatchObject({ feedbackCount: 5 })
  })

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
