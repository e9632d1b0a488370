import { voteWeight } from '@skillpass/server/internal/catalogue/trust'
import { beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { addressOf, ask, publish, type Skill } from '../../support/skills.ts'
import {
  addressIn,
  expectTrustFigures,
  fetchAndRate,
  flushFetches,
  judge,
  networkNumber,
  read,
  trustFigures,
} from '../../support/voters.ts'

const day = 86_400_000

const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
const { skills } = server.client.registry
const task = 'fill in a PDF form from a spreadsheet'
const fields = {
  name: 'PDF form filler',
  description: 'Fills in PDF forms from a spreadsheet.',
  readme: '# PDF form filler\n\nRead the fields of the form, then fill them in.\n',
}
const register = async (count: number, address: (i: number) => string) => {
  const agents: TestAgent[] = []
  for (let i = 0; i < count; i += 50) {
    const some = Array.from({ length: Math.min(50, count - i) }, (_, j) =>
      server.agentFrom(address(i + j), 'voter'),
    )
    agents.push(...(await Promise.all(some)))
  }
  return agents
}
/**
 * Publishes equal matches for a task, in the order of resolve. Their readmes are too short to be
 * copies.
 */
const equals = async (count: number) => {
  const made: Skill[] = []
  for (const by of await register(count, (i) => addressIn(900 + i, 7))) {
    made.push(await publish(by, fields))
  }
  const ids = await orderOf(made)
  return ids.map((id) => made.find((skill) => skill.id === id) as Skill)
}
/** Returns the order of some skills in the results of resolve. */
const orderOf = async (some: readonly Skill[]) => {
  const { data } = await skills.resolve({ query: { task, threshold: 0, limit: 50 } })
  return data.map(({ skill }) => skill.id).filter((id) => some.some((one) => one.id === id))
}
const idsOf = (some: readonly Skill[]) => some.map(({ id }) => id)
const confidenceOf = async ({ id }: Skill) => {
  const { data } = await skills.resolve({ query: { task, threshold: 0, limit: 50 } })
  return data.find(({ skill }) => skill.id === id)?.confidence
}
const trust = async ({ id }: Skill) => (await skills.stats({ params: { id } })).trustScore
const sums = ({ id }: Skill) => {
  const { helpfulWeight = 0, unhelpfulWeight = 0 } = server.ctx.catalogue.get(id) ?? {}
  const fullWeight = voteWeight(server.clock.now())
  return { helpful: helpfulWeight / fullWeight, unhelpful: unhelpfulWeight / fullWeight }
}
const from = (address: string) => ({ 'x-forwarded-for': address })
const fetchFrom = (skill: Skill, address: string, key?: string) =>
  ask(server, 'GET', addressOf(skill), { ...(key ? { key } : {}), headers: from(address) })

/**
 * Ten agents in ten networks and twenty in another network, all registered two weeks ago on the
 * registry's first day.
 */
let honest: TestAgent[]
let crowd: TestAgent[]
let publisher: TestAgent
const crowded = 40

beforeAll(async () => {
  honest = await register(10, addressIn)
  crowd = await register(20, (i) => addressIn(crowded, i))
  server.clock.advance(14 * day)
  publisher = await server.agentFrom('192.0.2.1', 'publisher')
})

test('on a two-week-old registry, three votes raise the trust score to 0.3 and decide between equals', async () => {
  const [first, second] = (await equals(2)) as [Skill, Skill]
  await fetchAndRate(server, honest.slice(0, 3), second, true)
  expect(await trust(second)).toBeGreaterThanOrEqual(0.3)
  expect(await orderOf([first, second])).toEqual([second.id, first.id])
  const [third, fourth] = (await equals(2)) as [Skill, Skill]
  await fetchAndRate(server, honest.slice(0, 3), third, false)
  expect(await orderOf([third, fourth])).toEqual([fourth.id, third.id])
})

/**
 * Lets agents vote for one skill and against others. One fetch from each network counts for all
 * its agents.
 */
const attack = async (agents: readonly TestAgent[], liked: Skill, disliked: readonly Skill[]) => {
  for (const skill of [liked, ...disliked]) {
    await read(server, agents.slice(0, 20), skill)
    // Votes on a skill wait for each other. With more at once, they time out on a slow machine.
    for (let i = 0; i < agents.length; i += 10) {
      const some = agents.slice(i, i + 10)
      await Promise.all(some.map((agent) => judge(agent, skill.id, skill === liked)))
    }
  }
}

test('a hundred agents registered today from 20 networks change neither order nor confidence', async () => {
  const [first, second] = (await equals(2)) as [Skill, Skill]
  const before = [await confidenceOf(first), await confidenceOf(second)]
  expect(before[0]).toBeGreaterThan(0.3)
  await attack(await register(100, (i) => addressIn(100 + (i % 20), Math.floor(i / 20))), second, [
    first,
  ])
  expect(await orderOf([first, second])).toEqual([first.id, second.id])
  expect([await confidenceOf(first), await confidenceOf(second)]).toEqual(before)
  expect([sums(first), sums(second)]).toEqual(Array(2).fill({ helpful: 0, unhelpful: 0 }))
})

test('160 sybils older than a week in eight networks do not outvote ten honest agents', async () => {
  const sybils = await register(160, (i) => addressIn(130 + (i % 8), Math.floor(i / 8)))
  server.clock.advance(30 * day)
  const [promoted, victim, bad] = (await equals(3)) as [Skill, Skill, Skill]
  await fetchAndRate(server, honest, victim, true)
  await fetchAndRate(server, honest, bad, false)
  const order = idsOf([victim, promoted, bad])
  expect(await orderOf([promoted, victim, bad])).toEqual(order)
  const confidence = await confidenceOf(victim)
  await attack(sybils, promoted, [victim])
  await attack(sybils, bad, [])
  expect(await orderOf([promoted, victim, bad])).toEqual(order)
  expect(await trust(victim)).toBeGreaterThan(await trust(promoted))
  expect(await confidenceOf(victim)).toBe(confidence)
})

test('twenty agents of one network together count as a quarter of an agent, wherever they vote from', async () => {
  const [skill, elsewhere] = [await publish(publisher), await publish(publisher)]
  await fetchAndRate(server, crowd, skill, true)
  expect(sums(skill)).toEqual({ helpful: expect.closeTo(0.25, 2), unhelpful: 0 })
  await read(server, crowd, elsewhere)
  for (const [i, { apiKey }] of crowd.entries()) {
    const given = { key: apiKey, body: { task, helpful: true }, headers: from(addressIn(200 + i)) }
    await ask(server, 'POST', `/api/v1/skills/${elsewhere.id}/feedback`, given)
  }
  expect(sums(elsewhere).helpful).toBeCloseTo(0.25, 2)
})

test('concurrent votes count as if they arrived one after another', async () => {
  const skill = await publish(publisher)
  await read(server, [...honest, ...crowd], skill)
  const cast = [...honest, ...crowd].map((agent, i) => judge(agent, skill.id, i < 15))
  await Promise.all(cast)
  expect(sums(skill).helpful).toBeCloseTo(10 + 0.25 / 4, 2)
  expect(sums(skill).unhelpful).toBeCloseTo((0.25 * 3) / 4, 2)
  expect(await trust(skill)).toBeGreaterThan(0.7)
})

test.each([true, false])('a vote (helpful: %s) counts beside an opposite one', async (helpful) => {
  const skill = await publish(publisher)
  const [attacker, neighbour] = crowd.slice(0, 2) as [TestAgent, TestAgent]
  await fetchAndRate(server, [attacker], skill, !helpful)
  await fetchAndRate(server, [neighbour], skill, helpful)
  const half = expect.closeTo(0.125, 3)
  expect(sums(skill)).toEqual({ helpful: half, unhelpful: half })
  const given = ['--agent', attacker.username, '--yes']
  await server.moderate('feedback remove', skill.id, 'It is untrue.', ...given)
  expect(sums(skill)[helpful ? 'helpful' : 'unhelpful']).toBeCloseTo(0.25, 3)
  await judge(neighbour, skill.id, !helpful)
  expect(sums(skill)[helpful ? 'helpful' : 'unhelpful']).toBe(0)
})

test('a vote counts only after a fetch, from whichever network', async () => {
  const skill = await publish(publisher)
  const [one] = honest as [TestAgent]
  await judge(one, skill.id, true)
  expect(sums(skill).helpful).toBe(0)
  expect((await fetchFrom(skill, addressIn(400), one.apiKey)).status).toBe(200)
  // The vote counts before the fetch is flushed to the database.
  await judge(one, skill.id, true)
  expect(sums(skill).helpful).toBeCloseTo(1, 2)
})

const text = (word: string) =>
  Array.from({ length: 12 }, (_, i) => `Step ${i}: ${word} the ${word}${i} by ${i} ${word}s.`)
const trusted = async (readme: string) => {
  const skill = await publish(publisher, { readme, name: 'Tides', description: 'Reads tides.' })
  await fetchAndRate(server, honest, skill, true)
  for (const { client } of honest) await client.registry.skills.star({ params: { id: skill.id } })
  expect(await trust(skill)).toBeGreaterThan(0.6)
  return skill
}
const change = (skill: Skill, body: Parameters<typeof skills.update>[0]['body']) =>
  publisher.client.registry.skills.update({ params: { id: skill.id }, body })
const shown = async ({ id }: Skill) => {
  const { data } = await skills.get({ params: { id } })
  return [data.trustScore > 0.6, data.starCount, data.feedbackCount]
}
const anew = [false, 0, 0]
const kept = [true, 10, 10]

test('a skill rewritten in twelve steps loses its trust once none of the judged text remains', async () => {
  const [from, to] = [text('barley'), text('cherry')]
  const skill = await trusted(from.join('\n'))
  for (let step = 1; step <= 12; step++) {
    await change(skill, { readme: [...to.slice(0, step), ...from.slice(step)].join('\n') })
    if (step <= 3) expect(await shown(skill)).toEqual(kept)
  }
  expect(await shown(skill)).toEqual(anew)
})

test('unhelpful votes return when the judged text is restored', async () => {
  const readme = text('nettle').join('\n')
  const skill = await publish(publisher, { readme })
  await fetchAndRate(server, honest, skill, false)
  await change(skill, { readme: text('thistle').join('\n') })
  expect(sums(skill).unhelpful).toBe(0)
  await change(skill, { readme })
  expect(sums(skill).unhelpful).toBeCloseTo(10, 1)
})

test.each([
  [
    'fetches',
    async (skill: Skill) => {
      for (let i = 0; i < 60; i++) await fetchFrom(skill, addressIn(500 + i))
      await flushFetches(server)
    },
  ],
  [
    'stars',
    async (skill: Skill) => {
      for (const { client } of await register(8, (i) => addressIn(700, i))) {
        await client.registry.skills.star({ params: { id: skill.id } })
      }
    },
  ],
])('%s do not change the order of resolve, from any number of networks', async (_, act) => {
  const same = await equals(2)
  await act(same[1] as Skill)
  const { data } = await skills.get({ params: { id: same[1]?.id ?? '' } })
  expect(data.starCount + data.fetchCount).toBeGreaterThan(7)
  expect(await orderOf(same)).toEqual(idsOf(same))
})

test('votes, stars and fetches by the owner or its network are not counted', async () => {
  const owner = await server.agentFrom('192.0.2.200', 'owner')
  const second = await server.agentFrom('192.0.2.201', 'second')
  const skill = await publish(owner)
  for (const agent of [owner, second]) {
    await fetchAndRate(server, [agent], skill, true)
    const { data } = await agent.client.registry.skills.star({ params: { id: skill.id } })
    expect(data).toEqual({ starred: true, starCount: 0 })
  }
  await fetchFrom(skill, '192.0.2.202')
  await fetchFrom(skill, addressIn(600), owner.apiKey)
  await fetchFrom(skill, addressIn(601), second.apiKey)
  await flushFetches(server)
  const { data } = await skills.get({ params: { id: skill.id } })
  expect(data).toMatchObject({ starCount: 0, fetchCount: 0, trustScore: 0, feedbackCount: 2 })
  expect(data.repo).toMatchObject({ starCount: 0, downloadCount: 0 })
  expect(sums(skill)).toEqual({ helpful: 0, unhelpful: 0 })

  // Votes of others count, and removing one's own star does not lower their count.
  const other = honest[0] as TestAgent
  await other.client.registry.skills.star({ params: { id: skill.id } })
  await fetchFrom(skill, '198.51.100.7')
  for (const agent of [owner, second]) {
    const given = await agent.client.registry.skills.unstar({ params: { id: skill.id } })
    expect(given.data).toEqual({ starred: false, starCount: 1 })
  }
  await flushFetches(server)
  const again = await skills.get({ params: { id: skill.id } })
  expect(again.data).toMatchObject({ starCount: 1, fetchCount: 1, repo: { starCount: 1 } })
})

const second = await startTestServer({ database: server.database, clock: server.clock })
const star = async (agents: readonly TestAgent[], { id }: Skill) => {
  for (const { client } of agents) await client.registry.skills.star({ params: { id } })
}

test('votes, feedback and stars of a blocked agent do not count on any node until it is unblocked', async () => {
  const owner = await server.agentFrom('192.0.2.77', 'owner')
  const skill = await publish(owner)
  const [fan, ...villains] = [honest[0] as TestAgent, ...honest.slice(1, 4)]
  await fetchAndRate(server, [fan], skill, true)
  await star([fan], skill)
  await read(server, villains, skill)
  await server.runJob('reading changes')
  const before = await trustFigures(server, skill.id)
  for (const villain of villains) await judge(villain, skill.id, false)
  await star(villains, skill)
  const voted = await trustFigures(server, skill.id)
  expect(voted).toMatchObject({ stars: [4, 4], feedback: [4, 0.25, 4] })
  expect(voted.trust).toBeLessThan(before.trust - 0.05)

  for (const { username } of villains) await server.moderate('agent block', username, 'A sybil.')
  await expectTrustFigures([server, second], skill.id, before)
  for (const { username } of villains)
    await server.moderate('agent unblock', username, 'It is not.')
  await expectTrustFigures([server, second], skill.id, voted)
})

test('the stored agents, votes, reads, fetches and stars do not reveal a network', async () => {
  const { read: db } = server.ctx.db
  const rows = [
    await db.selectFrom('agents').selectAll().execute(),
    await db.selectFrom('votes').selectAll().execute(),
    await db.selectFrom('reads').selectAll().execute(),
    await db.selectFrom('fetches').selectAll().execute(),
    await db.selectFrom('stars').selectAll().execute(),
  ]
  expect(rows[2]?.length).toBeGreaterThan(0)
  for (const network of [networkNumber(0), networkNumber(crowded), '203.0.113', '192.0.2']) {
    expect(JSON.stringify(rows)).not.toContain(network)
  }
})
