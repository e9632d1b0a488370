import { UnavailableError } from '@skillpass/client'
import { catchUp } from '@skillpass/server/registry/catalogue/change-feed'
import { blockAgent, unblockAgent } from '@skillpass/server/registry/moderation/agents'
import { removeFeedback } from '@skillpass/server/registry/moderation/feedback'
import { hideSkill, showSkill } from '@skillpass/server/registry/moderation/skills'
import { reweighVotes } from '@skillpass/server/registry/votes/reweigh'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operatorOf } from '../../support/commands.ts'
import { startTestServer, type TestAgent, type TestServer } from '../../support/server.ts'
import { addressOf, ask, publish, type Skill, serverForTest, unique } from '../../support/skills.ts'
import {
  addressIn,
  establishedAgents,
  judge,
  networkNumber,
  popularSkills,
  read,
  readAndJudge,
} from '../../support/voters.ts'
import { eventually } from '../../support/waiting.ts'

const day = 86_400_000

describe('trust that strangers try to make', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
  const { skills } = server.client.registry
  const task = 'fill in a PDF form from a spreadsheet'
  const fields = {
    name: 'PDF form filler',
    description: 'Fills in PDF forms from a spreadsheet.',
    readme: '# PDF form filler\n\nRead the fields of the form, then fill them in.\n',
  }
  const operator = await operatorOf(server.database, server.clock)
  /** A skill for the task. Its readme is too short to count as a copy. */
  const forTask = (by: TestAgent) => publish(by, fields)
  /** Ten agents of ten networks, and twenty of one. */
  let honest: TestAgent[]
  let crowd: TestAgent[]
  let publisher: TestAgent
  const crowded = 40

  beforeAll(async () => {
    const addresses = Array.from({ length: 30 }, (_, i) =>
      i < 10 ? addressIn(i) : addressIn(crowded, i),
    )
    const agents = await establishedAgents(server, addresses)
    honest = agents.slice(0, 10)
    crowd = agents.slice(10)
    publisher = await server.agentFrom('192.0.2.1', 'publisher')
  })

  /** Networks may add to ten skills a day. */
  beforeEach(() => server.clock.advance(day))

  const trust = async ({ id }: Skill) => (await skills.stats({ params: { id } })).trustScore
  const sums = ({ id }: Skill) => {
    const card = server.ctx.catalogue.get(id)
    if (!card) throw new Error('the skill is not in the catalogue')
    const whole = 2 ** ((server.clock.now() - Date.UTC(2026, 0, 1)) / (180 * day))
    return { helpful: card.helpfulWeight / whole, unhelpful: card.unhelpfulWeight / whole }
  }
  const newcomers = (count: number, addressOfOne: (i: number) => string) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => server.agentFrom(addressOfOne(i), 'newcomer')),
    )
  const numbersOf = async ({ id }: Skill) => {
    const { data } = await skills.resolve({ query: { task, threshold: 0, limit: 50 } })
    const hit = data.find(({ skill }) => skill.id === id)
    return [hit?.score, hit?.confidence]
  }
  /** The order in which resolve answers some skills. */
  const orderOf = async (some: readonly Skill[]) => {
    const { data } = await skills.resolve({ query: { task, threshold: 0, limit: 50 } })
    return data.map(({ skill }) => skill.id).filter((id) => some.some((one) => one.id === id))
  }
  const fetchFrom = (skill: Skill, address: string, key?: string) =>
    ask(server, 'GET', addressOf(skill), { ...(key ? { key } : {}), headers: from(address) })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const noted = async () => {
    await server.ctx.counters.flush()
    await catchUp(server.ctx)
  }

  test('five new agents of one address make next to no trust', async () => {
    const skill = await publish(publisher)
    await readAndJudge(server, await newcomers(5, () => '203.0.113.5'), skill, true)
    expect(await trust(skill)).toBeLessThan(0.02)
    expect(sums(skill).helpful).toBeLessThan(0.002)
  })

  test('thirty new agents of thirty networks change neither the score nor the confidence of a skill', async () => {
    const victim = await forTask(publisher)
    const before = await numbersOf(victim)
    expect(before[1]).toBeGreaterThan(0.3)
    const voters = await newcomers(30, (i) => addressIn(100 + i))
    await readAndJudge(server, voters, victim, false)
    expect(await numbersOf(victim)).toEqual(before)
    expect(sums(victim).unhelpful).toBeLessThan(0.05)
  })

  test('twenty established agents of one network together count less than one', async () => {
    const skill = await publish(publisher)
    await readAndJudge(server, crowd, skill, true)
    expect(sums(skill).helpful).toBeCloseTo(1 / Math.sqrt(20), 2)
  })

  test('twenty agents of one network count no more when they vote from twenty networks', async () => {
    const skill = await publish(publisher)
    await read(server, crowd, skill)
    for (const [i, { apiKey }] of crowd.entries()) {
      const body = { task, helpful: true }
      const given = { key: apiKey, body, headers: from(addressIn(200 + i)) }
      expect((await ask(server, 'POST', `/api/v1/skills/${skill.id}/feedback`, given)).status).toBe(
        200,
      )
    }
    expect(sums(skill).helpful).toBeLessThan(0.23)
  })

  test('agents of ten networks that vote from one count like one', async () => {
    const skill = await publish(publisher)
    await read(server, honest, skill)
    for (const { apiKey } of honest) {
      const given = { key: apiKey, body: { task, helpful: true }, headers: from(addressIn(300)) }
      await ask(server, 'POST', `/api/v1/skills/${skill.id}/feedback`, given)
    }
    expect(sums(skill).helpful).toBeCloseTo(1, 2)
  })

  test('fifty votes of one network at once stay within the weight of one network', async () => {
    const skill = await publish(publisher)
    await read(server, crowd, skill)
    const votes = Array.from({ length: 50 }, (_, i) => crowd[i % crowd.length] as TestAgent)
    // What a slow machine is too busy for (503) was not begun, and is asked for again.
    const cast = async (agent: TestAgent, helpful: boolean): Promise<unknown> =>
      judge(agent, skill.id, helpful).catch((error: unknown) => {
        if (error instanceof UnavailableError) return cast(agent, helpful)
        throw error
      })
    await Promise.all(votes.map((agent, i) => cast(agent, i % crowd.length < 15)))
    const { helpful, unhelpful } = sums(skill)
    expect(helpful + unhelpful).toBeCloseTo(1 / Math.sqrt(20), 2)
  })

  test('ten votes of ten networks at once all count', async () => {
    const skill = await publish(publisher)
    await read(server, honest, skill)
    await Promise.all(honest.map((agent) => judge(agent, skill.id, true)))
    expect(sums(skill).helpful).toBeCloseTo(10, 1)
    expect(await trust(skill)).toBeGreaterThan(0.7)
  })

  test('a network adds weight to at most ten skills a day', async () => {
    const eager = honest[0] as TestAgent
    server.clock.advance(day)
    const made: Skill[] = []
    for (let i = 0; i < 12; i++) made.push(await publish(publisher))
    for (const skill of made) await readAndJudge(server, [eager], skill, true)
    const weights = made.map((skill) => Math.round(sums(skill).helpful * 100) / 100)
    expect(weights).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    server.clock.advance(day)
    await readAndJudge(server, [eager], made[11] as Skill, true)
    expect(sums(made[11] as Skill).helpful).toBeCloseTo(1, 2)
  })

  test('the vote of an agent that never read the skill counts a quarter, and of one that read it from another network in full', async () => {
    const [unread, readElsewhere] = [await publish(publisher), await publish(publisher)]
    const [one, other] = honest.slice(0, 2) as [TestAgent, TestAgent]
    await judge(one, unread.id, true)
    expect(sums(unread).helpful).toBeCloseTo(0.25, 2)
    expect((await fetchFrom(readElsewhere, addressIn(400), other.apiKey)).status).toBe(200)
    await noted()
    await judge(other, readElsewhere.id, true)
    expect(sums(readElsewhere).helpful).toBeCloseTo(1, 2)
  })

  test('the votes of those who read the previous version still count after a new version', async () => {
    const skill = await publish(publisher)
    await read(server, honest, skill)
    await publisher.client.registry.skills.update({
      params: { id: skill.id },
      body: { readme: 'another' },
    })
    await judge(honest[2] as TestAgent, skill.id, false)
    expect(sums(skill).unhelpful).toBeCloseTo(1, 2)
  })

  test.each([true, false])(
    'an agent counts although a neighbour in its network has said otherwise (helpful: %s), and in full without the neighbour',
    async (helpful) => {
      const skill = await publish(publisher)
      const [attacker, neighbour] = crowd.slice(0, 2) as [TestAgent, TestAgent]
      const whole = 1 / Math.sqrt(20)
      await readAndJudge(server, [attacker], skill, !helpful)
      await readAndJudge(server, [neighbour], skill, helpful)
      const { helpful: one, unhelpful: two } = sums(skill)
      expect([one, two]).toEqual([expect.closeTo(whole / 2, 3), expect.closeTo(whole / 2, 3)])
      await removeFeedback(operator, skill.id, attacker.username, 'It is untrue.')
      await catchUp(server.ctx)
      expect(sums(skill)[helpful ? 'helpful' : 'unhelpful']).toBeCloseTo(whole, 3)
      await judge(neighbour, skill.id, !helpful)
      expect(sums(skill)[helpful ? 'helpful' : 'unhelpful']).toBeCloseTo(0, 9)
    },
  )

  describe('trust follows content', async () => {
    const text = (word: string) =>
      Array.from({ length: 12 }, (_, i) => `Step ${i}: ${word} the ${word}${i} by ${i} ${word}s.`)
    const trusted = async (readme: string) => {
      const skill = await publish(publisher, { readme, name: 'Tides', description: 'Reads tides.' })
      await readAndJudge(server, honest, skill, true)
      for (const { client } of honest)
        await client.registry.skills.star({ params: { id: skill.id } })
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

    test.each([
      ['long', text('oyster').join('\n'), text('walnut').join('\n')],
      ['short', '# Tides\n\nRead them.', '# Coins\n\nMint some.'],
    ])(
      'a change of all of a %s text starts anew, and putting it back brings trust and stars back',
      async (_, readme, other) => {
        const skill = await trusted(readme)
        const slug = unique('coins')
        const body = { readme: other, name: 'Coins', description: 'Mints coins.', slug }
        expect((await change(skill, body)).data).toMatchObject({ trustScore: 0, starCount: 0 })
        expect(await shown(skill)).toEqual(anew)
        const node = await serverForTest({ database: server.database, clock: server.clock })
        expect((await node.client.registry.skills.get({ params: { id: skill.id } })).data).toEqual(
          (await skills.get({ params: { id: skill.id } })).data,
        )
        await change(skill, { readme })
        expect(await shown(skill)).toEqual(kept)
      },
    )

    test('a change in twelve steps keeps trust while a part of what was judged is left, and no longer', async () => {
      const [from, to] = [text('barley'), text('cherry')]
      const skill = await trusted(from.join('\n'))
      for (let step = 1; step <= 12; step++) {
        await change(skill, { readme: [...to.slice(0, step), ...from.slice(step)].join('\n') })
        if (step <= 3) expect(await shown(skill)).toEqual(kept)
      }
      expect(await shown(skill)).toEqual(anew)
    })

    test('a long text that holds a short trusted one starts anew, and votes against it stay', async () => {
      const short = text('quince').join('\n')
      const skill = await trusted(short)
      const [critic] = crowd as [TestAgent]
      await readAndJudge(server, [critic], skill, false)
      const more = Array.from({ length: 60 }, (_, i) => text(`medlar${i}`)).flat()
      await change(skill, { readme: [short, ...more].join('\n') })
      expect(sums(skill)).toEqual({ helpful: 0, unhelpful: expect.closeTo(1 / Math.sqrt(20), 2) })
      expect(await shown(skill)).toEqual([false, 0, 1])
    })

    test('unhelpful votes come back with the text that they are about', async () => {
      const readme = text('nettle').join('\n')
      const skill = await publish(publisher, { readme })
      await readAndJudge(server, honest, skill, false)
      await change(skill, { readme: text('thistle').join('\n') })
      expect(sums(skill).unhelpful).toBe(0)
      await change(skill, { readme })
      expect(sums(skill).unhelpful).toBeCloseTo(10, 1)
    })
  })

  test('votes for and against weigh the same, also those of a competitor', async () => {
    const [liked, disliked] = [await forTask(publisher), await forTask(publisher)]
    for (const each of [honest, crowd]) {
      await readAndJudge(server, each, liked, true)
      await readAndJudge(server, each, disliked, false)
    }
    expect(sums(disliked).unhelpful).toBeCloseTo(sums(liked).helpful, 9)
    expect(sums(disliked).unhelpful).toBeGreaterThan(10)
    expect(await trust(liked)).toBeGreaterThan(0.7)
    const [score = 0] = await numbersOf(liked)
    const [lowered = 0] = await numbersOf(disliked)
    expect(lowered).toBeLessThan(0.9 * score)
    const competitor = honest[0] as TestAgent
    await forTask(competitor)
    const victim = await forTask(publisher)
    await readAndJudge(server, [competitor], victim, false)
    expect(sums(victim).unhelpful).toBeLessThanOrEqual(1)
  })

  test.each([0, 30])(
    'forty agents of twenty networks that prepared for %i days do not turn the order that ten honest agents made',
    async (days) => {
      const publishers = ['198.19.0.1', '198.19.1.1', '198.19.2.1'].map((address) =>
        server.agentFrom(address, 'publisher'),
      )
      const skillsForTask = await Promise.all(publishers.map(async (by) => forTask(await by)))
      const [victim, promoted, unjudged] = skillsForTask as [Skill, Skill, Skill]
      await readAndJudge(server, honest, victim, true)
      const attackers = await newcomers(40, (i) => addressIn(900 + days + (i % 20), i))
      if (days > 0) {
        for (const { id } of await popularSkills(server)) {
          for (const attacker of attackers) await judge(attacker, id, true)
          server.clock.advance(day)
        }
        server.clock.advance((days - 5) * day)
      }
      const [, confidence] = await numbersOf(victim)
      expect(confidence).toBeGreaterThan(0.3)
      const [, unjudgedConfidence] = await numbersOf(unjudged)
      await readAndJudge(server, attackers, promoted, true)
      await readAndJudge(server, attackers, victim, false)
      await readAndJudge(server, attackers, unjudged, false)
      await reweighVotes(operator)
      await catchUp(server.ctx)

      // If every vote counted one, the attackers would win.
      const rateOf = async ({ id }: Skill) =>
        (await server.client.registry.feedback.summary({ params: { id } })).helpfulRate
      expect([await rateOf(promoted), await rateOf(victim)]).toEqual([1, 0.2])
      expect(await orderOf([victim, promoted])).toEqual([victim.id, promoted.id])
      expect(await trust(promoted)).toBeLessThan(await trust(victim))
      expect((await numbersOf(victim))[1]).toBe(confidence)
      expect((await numbersOf(unjudged))[1]).toBe(unjudgedConfidence)
    },
  )

  test('fetches change no order of resolve, from however many networks', async () => {
    const other = await server.agentFrom('192.0.2.129', 'other')
    const same = [await forTask(publisher), await forTask(other)]
    const before = await orderOf(same)
    const last = same.find(({ id }) => id === before[1]) as Skill
    for (let i = 0; i < 60; i++) await fetchFrom(last, addressIn(500 + i))
    await noted()
    expect((await skills.stats({ params: { id: last.id } })).fetchCount).toBe(60)
    expect(await orderOf(same)).toEqual(before)
  })

  test('stars change no order of resolve', async () => {
    const other = await server.agentFrom('192.0.2.130', 'other')
    const same = [await forTask(publisher), await forTask(other)]
    const before = await orderOf(same)
    const last = same.find(({ id }) => id === before[1]) as Skill
    for (const { client } of await newcomers(8, (i) => addressIn(700, i))) {
      await client.registry.skills.star({ params: { id: last.id } })
    }
    expect((await skills.get({ params: { id: last.id } })).data.starCount).toBe(8)
    expect(await orderOf(same)).toEqual(before)
  })

  test('a vote of an established agent changes the order of resolve, a newcomer’s does not', async () => {
    const other = await server.agentFrom('192.0.2.131', 'other')
    const same = [await forTask(publisher), await forTask(other)]
    const [, last] = await orderOf(same)
    const skill = same.find(({ id }) => id === last) as Skill
    await readAndJudge(server, await newcomers(1, () => addressIn(800)), skill, true)
    expect((await orderOf(same))[1]).toBe(last)
    await readAndJudge(server, honest.slice(0, 1), skill, true)
    expect((await orderOf(same))[0]).toBe(last)
  })

  test('votes, stars and fetches of the owner and of its network count nowhere', async () => {
    const owner = await server.agentFrom('192.0.2.200', 'owner')
    const second = await server.agentFrom('192.0.2.201', 'second')
    const skill = await publish(owner)
    for (const agent of [owner, second]) {
      await readAndJudge(server, [agent], skill, true)
      const { data } = await agent.client.registry.skills.star({ params: { id: skill.id } })
      expect(data).toEqual({ starred: true, starCount: 0 })
    }
    await fetchFrom(skill, '192.0.2.202')
    await fetchFrom(skill, addressIn(600), owner.apiKey)
    await fetchFrom(skill, addressIn(601), second.apiKey)
    await noted()
    const { data } = await skills.get({ params: { id: skill.id } })
    expect(data).toMatchObject({ starCount: 0, fetchCount: 0, trustScore: 0, feedbackCount: 2 })
    expect(data.repo).toMatchObject({ starCount: 0, downloadCount: 0 })
    expect(sums(skill)).toEqual({ helpful: 0, unhelpful: 0 })

    // What others do counts, and taking an own star back takes nothing from it.
    const other = honest[0] as TestAgent
    await other.client.registry.skills.star({ params: { id: skill.id } })
    await fetchFrom(skill, '198.51.100.7')
    for (const agent of [owner, second]) {
      const given = await agent.client.registry.skills.unstar({ params: { id: skill.id } })
      expect(given.data).toEqual({ starred: false, starCount: 1 })
    }
    await noted()
    const again = await skills.get({ params: { id: skill.id } })
    expect(again.data).toMatchObject({ starCount: 1, fetchCount: 1, repo: { starCount: 1 } })
  })

  describe('votes of blocked agents', async () => {
    const secondNode = await startTestServer({ database: server.database, clock: server.clock })
    const blocked = async (agents: readonly TestAgent[]) => {
      for (const { username } of agents) await blockAgent(operator, username, 'They are sybils.')
    }
    const unblocked = async (agents: readonly TestAgent[]) => {
      for (const { username } of agents) await unblockAgent(operator, username, 'They are not.')
    }
    const star = async (agents: readonly TestAgent[], { id }: Skill) => {
      for (const { client } of agents) await client.registry.skills.star({ params: { id } })
    }
    const shownBy = async ({ client: { registry } }: TestServer, { id }: Skill) => {
      const { data } = await registry.skills.get({ params: { id } })
      const said = await registry.feedback.summary({ params: { id } })
      return {
        trust: Number(data.trustScore.toFixed(9)),
        stars: [data.starCount, data.repo.starCount],
        feedback: [said.totalFeedback, said.helpfulRate, said.recentFeedback.length],
      }
    }
    const everywhere = async (expected: object, show: (node: TestServer) => Promise<unknown>) => {
      for (const node of [server, secondNode]) {
        await eventually(async () => expect(await show(node)).toEqual(expected))
      }
    }

    test('votes, feedback and stars of a blocked agent count on no node until it is unblocked', async () => {
      const owner = await server.agentFrom('192.0.2.77', 'owner')
      const [skill, rival] = [await publish(owner), await publish(owner)]
      const [fan, ...villains] = [honest[0] as TestAgent, ...honest.slice(1, 4)]
      await readAndJudge(server, [fan], skill, true)
      await star([fan], skill)
      await read(server, villains, skill)
      await catchUp(server.ctx)
      const before = await shownBy(server, skill)
      for (const villain of villains) await judge(villain, skill.id, false)
      await star(villains, skill)
      const voted = await shownBy(server, skill)
      expect(voted).toMatchObject({ stars: [4, 4], feedback: [4, 0.25, 4] })
      expect(voted.trust).toBeLessThan(before.trust - 0.05)

      await blocked(villains)
      await everywhere(before, (node) => shownBy(node, skill))
      // Again, with another reason: what does not count is not taken twice.
      await blocked(villains)
      await catchUp(server.ctx)
      expect(await shownBy(server, skill)).toEqual(before)
      await unblocked(villains)
      await everywhere(voted, (node) => shownBy(node, skill))

      // The order of stars follows.
      const order = async ({ client }: TestServer) => {
        const { data } = await client.registry.skills.trending({ query: { limit: 50 } })
        return data.map(({ id }) => id).filter((id) => [skill.id, rival.id].includes(id))
      }
      await star([...villains, ...crowd.slice(0, 2)], rival)
      await everywhere([rival.id, skill.id], order)
      await blocked([...villains, ...crowd.slice(0, 2)])
      await everywhere([skill.id, rival.id], order)
      await unblocked([...villains, ...crowd.slice(0, 2)])
    })

    test('weighing votes again restores no vote of a blocked agent', async () => {
      const skill = await publish(publisher)
      const [villain] = await newcomers(1, () => addressIn(700))
      await readAndJudge(server, [villain as TestAgent], skill, false)
      const { unhelpful } = sums(skill)
      expect(unhelpful).toBeGreaterThan(0)
      await blocked([villain as TestAgent])
      const weigh = async () => {
        server.clock.advance(60 * day)
        await reweighVotes(operator)
        await catchUp(server.ctx)
        return sums(skill).unhelpful
      }
      expect(await weigh()).toBe(0)
      expect(await weigh()).toBe(0)
      await unblocked([villain as TestAgent])
      expect(await weigh()).toBeGreaterThan(unhelpful)
    })

    test('stars and feedback of a blocked agent stay out when its repository is counted again, and removed feedback stays out for good', async () => {
      const owner = await server.agentFrom('192.0.2.78', 'owner')
      const [skill, sibling] = [await publish(owner), await publish(owner)]
      const [fan, villain] = honest as [TestAgent, TestAgent]
      await readAndJudge(server, [fan], skill, true)
      await star([fan], skill)
      await read(server, [villain], skill)
      await catchUp(server.ctx)
      const before = await shownBy(server, skill)
      await judge(villain, skill.id, false)
      await star([villain], skill)
      await star([villain], sibling)
      await blocked([villain])
      await hideSkill(operator, sibling.id, 'It copies another.')
      await removeFeedback(operator, skill.id, villain.username, 'It is untrue.')
      await everywhere(before, (node) => shownBy(node, skill))
      await unblocked([villain])
      await everywhere({ ...before, stars: [2, 2] }, (node) => shownBy(node, skill))
      await showSkill(operator, sibling.id, 'It does not.')
      await everywhere([1, 2], async (node) => (await shownBy(node, sibling)).stars)
    })

    test('votes and stars that an agent writes while it is being blocked do not count', async () => {
      const villain = await server.agentFrom(addressIn(701), 'villain')
      const skills: Skill[] = []
      for (let i = 0; i < 8; i++) skills.push(await publish(publisher))
      const writes = skills.flatMap((skill) => [
        judge(villain, skill.id, false),
        star([villain], skill),
      ])
      await Promise.allSettled([...writes.slice(0, 8), blocked([villain]), ...writes.slice(8)])
      await catchUp(server.ctx)
      for (const skill of skills) {
        expect(await shownBy(server, skill)).toMatchObject({ stars: [0, expect.any(Number)] })
        expect(sums(skill)).toEqual({ helpful: 0, unhelpful: 0 })
      }
    })
  })

  test('the rows of agents, votes, reads, fetches and stars name no network', async () => {
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
})
