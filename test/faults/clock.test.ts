import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { createServerDatabase, engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { publish, serverForTest } from '../support/skills.ts'
import { judge } from '../support/voters.ts'

const day = 86_400_000

describe.each(engines)('a wrong wall clock on %s', (engine) => {
  test.each([
    ['back by 24 h', -day],
    ['ahead by a year', 365 * day],
  ])('a server whose clock is set %s keeps its keys, stars and rate limits', async (_, step) => {
    const clock = createTestClock()
    const server = await serverForTest({
      engine,
      clock,
      env: { RATE_LIMIT_READS_PER_MINUTE: '10', RATE_LIMIT_WRITES_PER_MINUTE: '10' },
    })
    const agent = await server.agent('timely')
    const voter = await server.agent('voter')
    const skill = await publish(agent, { slug: 'timely', readme: '# A timely skill' })
    const id = { params: { id: skill.id } }
    await voter.client.registry.skills.star(id)
    await judge(voter, skill.id, false)
    const read = () => server.client.registry.skills.trending({ query: {} })
    for (let i = 0; i < 10; i++) await read()
    await expect(read()).rejects.toMatchObject({ code: 'RATE_LIMITED' })

    clock.setWall(clock.now() + step)

    // The wall clock neither ends nor extends the limit of 60 s.
    const refused = read()
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await refused.catch((error: { retryAfter: number }) => {
      expect(error.retryAfter).toBeGreaterThan(0)
      expect(error.retryAfter).toBeLessThanOrEqual(60)
    })
    clock.advance(60_001)
    await read()

    const { data: updated } = await agent.client.registry.skills.update({
      ...id,
      body: { readme: '# A timely skill, again' },
    })
    expect(updated).toMatchObject({ version: 2, starCount: 1 })
    expect(Date.parse(updated.updatedAt)).toBeGreaterThanOrEqual(Date.parse(updated.createdAt))
    expect(Date.parse(updated.updatedAt)).toBeGreaterThanOrEqual(Date.parse(skill.updatedAt))
    await voter.client.registry.skills.unstar(id)
    expect((await voter.client.registry.skills.star(id)).data.starCount).toBe(1)
    const { stats } = await judge(voter, skill.id, true)
    expect(stats.helpfulRate).toBeGreaterThan(0)
    const numbers = await server.client.registry.skills.stats(id)
    expect(numbers.trustScore).toBeGreaterThanOrEqual(0)
    expect(numbers.trustScore).toBeLessThanOrEqual(1)
    const { data: key } = await agent.client.registry.apiKeys.create({ body: { name: 'new' } })
    await server.clientFor(key.key).registry.agents.me()
    await agent.client.registry.apiKeys.revoke({ params: { id: key.id } })
    await expect(server.clientFor(key.key).registry.agents.me()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
    const { data: versions } = await server.client.registry.skills.versions(id)
    expect(versions.map(({ version }) => version)).toEqual([2, 1])
    await agent.client.registry.skills.delete(id)
    await expect(server.client.registry.skills.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a server whose clock is behind its data serves the data and accepts changes', async () => {
    const database = await createServerDatabase(engine)
    const ahead = createTestClock()
    ahead.setWall(Date.now() + day)
    onTestFinished(database.remove)
    const first = await startTestServer({ database, clock: ahead })
    const agent = await first.agent('future')
    const skill = await publish(agent, { slug: 'future' })
    await first.stop()
    const second = await startTestServer({ database })
    onTestFinished(second.stop)
    const client = second.clientFor(agent.apiKey)
    const fan = await second.agent('fan')
    await fan.client.registry.skills.star({ params: { id: skill.id } })
    const { data } = await client.registry.skills.update({
      params: { id: skill.id },
      body: { description: 'Back from there.' },
    })
    expect(data.starCount).toBe(1)
    expect(Date.parse(data.updatedAt)).toBeGreaterThanOrEqual(Date.parse(data.createdAt))
    const found = await client.registry.skills.resolve({ query: { task: 'future', threshold: 0 } })
    expect(found.data[0]?.skill.id).toBe(skill.id)
  })
})
