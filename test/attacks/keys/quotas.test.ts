import { describe, expect, test } from 'vitest'
import { engines } from '../../support/databases.ts'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { ask, expectError, publish, serverForTest } from '../../support/skills.ts'
import { uniqueWords } from '../../support/words.ts'

/** Each test uses a new agent, exhausts one of these quotas and stays below the others. */
const quotas = { skills: 5, versions: 8, bytes: 100_000, words: 1000, reports: 6 }

type Act = readonly [method: string, path: string, body: object]

let seeds = 1000
const quarterOfBytes = () => 'x'.repeat(24_900)
/** Returns slightly fewer words than a quarter of the quota, because name and slug add some. */
const quarterOfWords = () => uniqueWords(++seeds, 5000, ' ').split(' ').slice(0, 243).join(' ')

const newSkill = (readme = 'x', slug?: string): Act => {
  const name = `s${(++seeds).toString(36)}`
  return ['POST', '/api/v1/skills', { name, slug: slug ?? name, readme }]
}
const changesOf = async (agent: TestAgent, readme = () => '') => {
  const { id } = await publish(agent, { slug: 'x', readme: 'x' })
  return (): Act => ['PUT', `/api/v1/skills/${id}`, { readme: `${++seeds} ${readme()}` }]
}
const report = (id = ''): Act => [
  'POST',
  `/api/v1/skills/${id}/report`,
  { reason: 'malicious', text: 'Look.' },
]

describe.each(engines)('the quotas of two nodes on %s', async (engine) => {
  const server = await startTestServer({ engine, quotas })
  const { database, clock } = server
  const nodes = [server, await startTestServer({ database, clock, quotas })] as const
  const target = await publish(await server.agent('author'))

  const reportsOfMany = async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++) {
      const author = await server.agent('author')
      for (let j = 0; j < 4; j++) ids.push((await publish(author)).id)
    }
    return () => report(ids.pop())
  }

  interface Spending {
    /** The number of actions that fit into a day, and the approximate quota used by each. */
    readonly fits: number
    readonly size: number
    make(agent: TestAgent): Promise<() => Act>
  }

  const cases: Record<string, Spending> = {
    'skills by publications': { fits: 5, size: 1, make: async () => newSkill },
    'versions by changes': { fits: 7, size: 1, make: changesOf },
    'bytes by publications': {
      fits: 4,
      size: 25_000,
      make: async () => () => newSkill(quarterOfBytes()),
    },
    'words by changes': { fits: 4, size: 250, make: (agent) => changesOf(agent, quarterOfWords) },
    'reports by reports': { fits: 6, size: 1, make: reportsOfMany },
  }

  test.each(Object.entries(cases))(
    'the daily quota of %s holds across all keys of an agent and both nodes until the UTC day ends',
    async (name, { fits, size, make }) => {
      const [quota] = name.split(' ')
      const agent = await server.agent('busy')
      const { data } = await agent.client.registry.apiKeys.create({ body: { name: 'second' } })
      const next = await make(agent)
      const send = (i = 0) => {
        const [method, path, body] = next()
        const key = i % 4 < 2 ? agent.apiKey : data.key
        return ask(nodes[i % 2] ?? server, method, path, { key, body })
      }
      const leftIn = ({ headers }: Response) => {
        expect(headers.get('ratelimit-policy')).toMatch(new RegExp(`"${quota}";q=\\d+;w=86400`))
        const state = new RegExp(`"${quota}";r=(\\d+);t=(\\d+)`).exec(
          headers.get('ratelimit') ?? '',
        )
        return { left: Number(state?.[1]), seconds: Number(state?.[2]) }
      }
      const responses = await Promise.all(Array.from({ length: fits + 5 }, (_, i) => send(i)))
      const accepted = responses.filter(({ ok }) => ok)
      const left = accepted.map((response) => Math.floor(leftIn(response).left / size))
      expect(left.sort((a, b) => b - a)).toEqual(
        Array.from({ length: fits }, (_, i) => fits - 1 - i),
      )

      const [refused, ...others] = responses.filter(({ ok }) => !ok)
      expect(others.map(({ status }) => status)).toEqual([429, 429, 429, 429])
      const { seconds } = leftIn(refused ?? Response.error())
      const { message, retryAfter } = await expectError(refused ?? Response.error(), 'RATE_LIMITED')
      expect(message).toMatch(/^An agent may .* per UTC day/)
      expect(retryAfter).toBe(seconds)
      const star = agent.client.registry.skills.star({ params: { id: target.id } })
      expect((await star).data.starred).toBe(true)

      clock.advance((seconds - 1) * 1000)
      expect((await send()).status).toBe(429)
      clock.advance(1000)
      expect((await send()).ok).toBe(true)
    },
  )
})

test('an agent adds no more new words than its quota, however long its texts', async () => {
  const other = await serverForTest({ quotas: { words: 10_000 } })
  const agent = await other.agent('vocabulary')
  const post = async (readme: string) => {
    const [method, path, body] = newSkill(readme)
    return (await ask(other, method, path, { key: agent.apiKey, body })).status
  }
  const before = other.ctx.catalogue.index.words().all
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push(await post(uniqueWords(++seeds, 230_000, ' ')))
  expect(statuses).toEqual([201, 201, 429, 429])
  expect(other.ctx.catalogue.index.words().all - before).toBeLessThanOrEqual(10_000)
  // Words that other skills already use do not count.
  expect(await post('nothing new here')).toBe(201)
})
