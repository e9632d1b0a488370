import { listReports } from '@skillpass/server/registry/moderation/reports'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../support/clock.ts'
import { createTestDatabase, engines } from '../../support/databases.ts'
import type { TestServer, TestServerOptions } from '../../support/server.ts'
import { ask, expectError, publish, serverForTest, unique } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'
import { uniqueWords } from '../../support/words.ts'

/** Variables of a server with one quota, and a publication that spends one tenth of it. */
const tenths = {
  skills: { env: { QUOTA_SKILLS_PER_DAY: '10' }, readme: () => 'x' },
  versions: { env: { QUOTA_VERSIONS_PER_DAY: '10' }, readme: () => 'x' },
  bytes: { env: { QUOTA_BYTES_PER_DAY: '100000' }, readme: () => 'x'.repeat(9_950) },
  words: {
    env: { QUOTA_NEW_WORDS_PER_DAY: '1000' },
    // The name, the slug and what the readme says.
    readme: (seed: number) => uniqueWords(seed, 100_000, ' ').split(' ').slice(0, 98).join(' '),
  },
}
let seeds = 1000

describe.each(engines)('quotas on %s', (engine) => {
  const limited = (env: Record<string, string>, more: TestServerOptions = {}) =>
    serverForTest({ engine, env, ...more })
  const post = (server: Pick<TestServer, 'http'>, key: string, readme: string, slug?: string) => {
    const name = `s${(++seeds).toString(36)}`
    return ask(server, 'POST', '/api/v1/skills', {
      key,
      body: { name, slug: slug ?? name, readme },
    })
  }
  const statuses = async (answers: Promise<Response>[]) =>
    (await Promise.all(answers)).map(({ status }) => status).sort()
  const tenAndMore = [...Array<number>(10).fill(201), ...Array<number>(15).fill(429)]

  describe.each(Object.entries(tenths))('of %s', (name, { env, readme }) => {
    test('hold for all keys of an agent together, however many publish at once', async () => {
      const server = await limited(env)
      const [agent, other] = [await server.agent('greedy'), await server.agent('other')]
      const { data } = await agent.client.registry.apiKeys.create({ body: { name: 'second' } })
      const keys = [agent.apiKey, data.key]
      const answers = Array.from({ length: 25 }, (_, i) =>
        post(server, keys[i % 2] ?? '', readme(seeds)),
      )
      expect(await statuses(answers)).toEqual(tenAndMore)
      expect((await other.client.registry.skills.search({ query: {} })).total).toBe(10)
      expect(await statuses([post(server, other.apiKey, readme(seeds))])).toEqual([201])
    })

    test('tell what is left, and until when a refusal holds', async () => {
      const server = await limited(env)
      const agent = await server.agent('counted')
      const leftOf = ({ headers }: Response) => {
        const [, left, seconds] = new RegExp(`"${name}";r=(\\d+);t=(\\d+)`).exec(
          headers.get('ratelimit') ?? '',
        ) ?? ['', '', '']
        expect(headers.get('ratelimit-policy')).toMatch(new RegExp(`"${name}";q=\\d+;w=86400`))
        return { left: Number(left), seconds: Number(seconds) }
      }
      const first = leftOf(await post(server, agent.apiKey, readme(seeds)))
      const second = leftOf(await post(server, agent.apiKey, readme(seeds)))
      expect(second.left / first.left).toBeCloseTo(8 / 9, 1)
      for (let i = 2; i < 10; i++) await post(server, agent.apiKey, readme(seeds))
      const answer = await post(server, agent.apiKey, readme(seeds))
      const { seconds } = leftOf(answer)
      const refused = await expectError(answer, 'RATE_LIMITED')
      expect(refused.message).toContain(Object.values(env)[0])
      expect(refused.retryAfter).toBe(seconds)
      server.clock.advance((seconds - 1) * 1000)
      expect(await statuses([post(server, agent.apiKey, readme(seeds))])).toEqual([429])
      server.clock.advance(1000)
      expect(await statuses([post(server, agent.apiKey, readme(seeds))])).toEqual([201])
    })
  })

  test('of versions, bytes and words hold for changes as well', async () => {
    for (const name of ['versions', 'bytes', 'words'] as const) {
      const { env, readme } = tenths[name]
      const server = await limited(env)
      const agent = await server.agent('changing')
      const { data } = await agent.client.registry.skills.publish({
        body: { name: 'x', slug: 'x', readme: readme(++seeds) },
      })
      const changes = Array.from({ length: 24 }, () =>
        ask(server, 'PUT', `/api/v1/skills/${data.id}`, {
          key: agent.apiKey,
          body: { readme: `${++seeds} ${readme(seeds)}` },
        }),
      )
      const refused = (await statuses(changes)).filter((status) => status === 429).length
      expect(refused).toBeGreaterThanOrEqual(15)
      expect(refused).toBeLessThanOrEqual(16)
      // What a quota does not count goes on.
      const star = agent.client.registry.skills.star({ params: { id: data.id } })
      expect((await star).data.starred).toBe(true)
    }
  })

  test('of reports hold however many skills an agent reports at once', async () => {
    const server = await limited({ QUOTA_REPORTS_PER_DAY: '10', QUOTA_SKILLS_PER_DAY: '100' })
    const [author, zealot] = [await server.agent('author'), await server.agent('zealot')]
    const ids: string[] = []
    for (let i = 0; i < 25; i++) ids.push((await publish(author)).id)
    const report = (id = '', { apiKey } = zealot, reason = 'malicious') =>
      ask(server, 'POST', `/api/v1/skills/${id}/report`, { key: apiKey, body: { reason } })
    const answers = await Promise.all(ids.map((id) => report(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual(tenAndMore)
    const open = () => listReports(server.ctx, { limit: 1000 })
    expect((await open()).total).toBe(10)
    const refused = answers.findIndex(({ status }) => status === 429)
    const answer = answers[refused]
    if (!answer) throw new Error('no report was refused')
    expect(answer.headers.get('ratelimit')).toMatch(/^"reports";r=0;t=\d+$/)
    const { message, retryAfter } = await expectError(answer, 'RATE_LIMITED')
    expect(message).toContain('An agent may send 10 new reports in a UTC day')
    // Its open reports may still be corrected, others may report, and it may publish.
    const sent = ids[answers.findIndex(({ status }) => status === 201)]
    expect((await report(sent, zealot, 'spam')).status).toBe(200)
    expect((await report(ids[refused], author)).status).toBe(201)
    expect(await statuses([post(server, zealot.apiKey, 'x')])).toEqual([201])
    server.clock.advance((retryAfter ?? 0) * 1000)
    expect((await report(ids[refused])).status).toBe(201)
  })

  test('count what was kept alone: a refused skill leaves nothing behind', async () => {
    const server = await limited({ QUOTA_SKILLS_PER_DAY: '2', QUOTA_NEW_WORDS_PER_DAY: '100000' })
    const agent = await server.agent('refused')
    expect(await statuses([post(server, agent.apiKey, 'x', 'taken')])).toEqual([201])
    for (let i = 0; i < 5; i++) {
      expect(await statuses([post(server, agent.apiKey, 'x', 'taken')])).toEqual([409])
    }
    expect(await statuses([post(server, agent.apiKey, 'x')])).toEqual([201])
    const before = server.ctx.catalogue.index.words().all
    expect(await statuses([post(server, agent.apiKey, uniqueWords(7, 9000, ' '), 'late')])).toEqual(
      [429],
    )
    expect(server.ctx.catalogue.index.words().all).toBe(before)
    expect((await server.http(`/${agent.username}/skills/late?format=md`)).status).toBe(404)
  })

  test('keep the vocabulary from growing by more than an agent may bring along', async () => {
    const server = await limited({ QUOTA_NEW_WORDS_PER_DAY: '20000' })
    const agent = await server.agent('vocabulary')
    const before = server.ctx.catalogue.index.words().all
    const answers = []
    for (let i = 0; i < 12; i++) {
      answers.push(await post(server, agent.apiKey, uniqueWords(++seeds, 230_000, ' ')))
    }
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array<number>(4).fill(201),
      ...Array<number>(8).fill(429),
    ])
    expect(server.ctx.catalogue.index.words().all - before).toBeLessThanOrEqual(20_000)
    // What others have said already is free.
    expect(await statuses([post(server, agent.apiKey, 'nothing new here')])).toEqual([201])
  })

  test('outlast a restart, and are forgotten with their day', async () => {
    const database = await createTestDatabase(engine)
    const clock = createTestClock()
    const env = { QUOTA_SKILLS_PER_DAY: '1' }
    const before = await limited(env, { database, clock })
    const agent = await before.agent('patient')
    expect(await statuses([post(before, agent.apiKey, 'x')])).toEqual([201])
    await before.stop()
    const after = await limited(env, { database, clock })
    expect(await statuses([post(after, agent.apiKey, 'x')])).toEqual([429])
    clock.advance(86_400_000)
    expect(await statuses([post(after, agent.apiKey, 'x')])).toEqual([201])
    await after.stop()
    await database.remove()
  })

  test('are off where their variable is 0', async () => {
    const server = await limited({ QUOTA_SKILLS_PER_DAY: '0' })
    const agent = await server.agent('free')
    const answer = await post(server, agent.apiKey, 'x')
    expect(answer.headers.get('ratelimit')).toBeNull()
    const rows = await server.ctx.db.read.selectFrom('agent_usage').selectAll().execute()
    expect(rows).toEqual([])
  })
})

test('two nodes on one database share the quotas, with no Redis between them', async () => {
  const database = await createTestDatabase('postgres')
  const env = { QUOTA_SKILLS_PER_DAY: '10', RATE_LIMIT_WRITES_PER_MINUTE: '0' }
  const nodes = [
    await serverForTest({ database, env }),
    await serverForTest({ database, env }),
  ] as const
  const agent = await nodes[0].agent('everywhere')
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      ask(nodes[i % 2] ?? nodes[0], 'POST', '/api/v1/skills', {
        key: agent.apiKey,
        body: { name: 'x', slug: unique('x') },
      }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  await eventually(async () => {
    for (const { client } of nodes) {
      expect((await client.registry.skills.search({ query: {} })).total).toBe(10)
    }
  })
  for (const node of nodes) await node.stop()
  await database.remove()
})
