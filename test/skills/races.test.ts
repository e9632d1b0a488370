import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { startTestServer, type TestAgent, type TestServer } from '../support/server.ts'
import { addressOf, ask, publish, unique } from '../support/skills.ts'
import { eventually } from '../support/waiting.ts'

const times = 20

/** Counts the statuses of simultaneous requests. */
async function statuses(requests: Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const many = <T>(make: (index: number) => T): T[] =>
  Array.from({ length: times }, (_, i) => make(i))

describe.each(engines)('races of two servers on one %s database', async (engine) => {
  const first = await startTestServer({ engine })
  const second = await startTestServer({ database: first.database, clock: first.clock })
  const author = await first.agent('author')
  const fans = await Promise.all(many(() => first.agent('fan')))

  const servers = [first, second] as const
  const at = (index: number) => (index % 2 === 0 ? first : second)

  /** Waits until every server passes the check. */
  const agree = (check: (server: TestServer) => Promise<void>) =>
    Promise.all(servers.map((server) => eventually(() => check(server))))
  const detail = async (server: TestServer, id: string) =>
    (await server.client.registry.skills.get({ params: { id } })).data
  /** Sends a request, and repeats it after a 503, which has no effect. */
  const send = async (
    index: number,
    method: string,
    path: string,
    agent: TestAgent,
    body?: unknown,
  ) => {
    for (;;) {
      const call = { key: agent.apiKey, body }
      const response = await ask(at(index), method, `/api/v1/skills${path}`, call)
      if (response.status !== 503) return response
    }
  }

  test(`of ${times} agents that register one name, one succeeds`, async () => {
    const body = { username: unique('wanted') }
    const register = (i: number) => ask(at(i), 'POST', '/api/v1/agents/register', { body })
    expect(await statuses(many(register))).toEqual({ 201: 1, 409: times - 1 })
    const rows = first.ctx.db.read.selectFrom('agents').select('id')
    expect(await rows.where('username', '=', body.username).execute()).toHaveLength(1)
  })

  test(`of ${times} publications of one slug in a new repository, one succeeds`, async () => {
    const agent = await first.agent('racer')
    const slug = unique('wanted')
    const sent = many((i) => send(i, 'POST', '', agent, { name: `${i}`, slug, readme: `${i}` }))
    expect(await statuses(sent)).toEqual({ 201: 1, 409: times - 1 })
    await agree(async (server) => {
      const query = { owner: agent.username }
      const { data, total } = await server.client.registry.skills.search({ query })
      expect(total).toBe(1)
      const text = await (await server.http(`/${agent.username}/skills/${slug}`)).text()
      expect(text).toBe(data[0]?.name)
    })
  })

  test(`an agent that stars a skill ${times} times gives it one star`, async () => {
    const [{ id }, fan] = [await publish(author), await first.agent('fan')]
    expect(await statuses(many((i) => send(i, 'POST', `/${id}/star`, fan)))).toEqual({ 200: times })
    await agree(async (server) => expect((await detail(server, id)).starCount).toBe(1))
    expect(await statuses(many((i) => send(i, 'DELETE', `/${id}/star`, fan)))).toEqual({
      200: times,
    })
    await agree(async (server) => expect((await detail(server, id)).starCount).toBe(0))
  })

  test(`an agent that votes ${times} times a day has one vote, which the counts include`, async () => {
    const [{ id }, voter] = [await publish(author), await first.agent('voter')]
    const sent = many((i) =>
      send(i, 'POST', `/${id}/feedback`, voter, { task: `${i}`, helpful: i % 2 === 0 }),
    )
    expect(await statuses(sent)).toEqual({ 200: times })
    await agree(async (server) => {
      const summary = await server.client.registry.feedback.summary({ params: { id } })
      expect(summary.totalFeedback).toBe(1)
      expect(summary.recentFeedback).toHaveLength(1)
      expect(summary.helpfulRate).toBe(Number(summary.recentFeedback[0]?.helpful))
    })
  })

  test(`${times} updates of one skill make ${times} versions, without gaps or losses`, async () => {
    const made = await publish(author, { readme: 'start' })
    const { id } = made
    const sent = many((i) => send(i, 'PUT', `/${id}`, author, { readme: `text ${i}` }))
    expect(await statuses(sent)).toEqual({ 200: times })
    const { data } = await first.client.registry.skills.versions({ params: { id } })
    expect(data.map(({ version }) => version)).toEqual(
      Array.from({ length: times + 1 }, (_, i) => times + 1 - i),
    )
    const texts = await Promise.all(
      data.map(async ({ version, digest }) => {
        const response = await first.http(`${addressOf(made)}?version=${version}`)
        expect(response.headers.get('etag')).toBe(`"${digest}"`)
        return response.text()
      }),
    )
    expect(texts.sort()).toEqual(['start', ...many((i) => `text ${i}`)].sort())
    await agree(async (server) => {
      const { version, digest, readme } = await detail(server, id)
      expect({ version, digest }).toEqual({ version: times + 1, digest: data[0]?.digest })
      expect(await (await server.http(addressOf(made))).text()).toBe(readme)
    })
  })

  test('simultaneous deletions, stars, votes and updates return 200 or 404 and leave nothing of the skill', async () => {
    const made = await publish(author)
    const path = `/${made.id}`
    const sent = fans.flatMap((fan, i) => [
      send(i, 'POST', `${path}/star`, fan),
      send(i + 1, 'POST', `${path}/feedback`, fan, { task: 'x', helpful: true }),
      ...(i % 5 === 3 ? [send(i, 'DELETE', path, author)] : []),
      ...(i % 5 === 0 ? [send(i, 'PUT', path, author, { readme: `${i}` })] : []),
    ])
    const counts = await statuses(sent)
    expect(Object.keys(counts).every((status) => ['200', '404'].includes(status))).toBe(true)
    await agree(async (server) => {
      expect((await server.http(addressOf(made))).status).toBe(404)
      expect((await server.http(`/api/v1/skills${path}`)).status).toBe(404)
    })
    const stars = first.ctx.db.read.selectFrom('stars').select('agent_id')
    expect(await stars.where('skill_id', '=', made.id).execute()).toEqual([])
  })
})
