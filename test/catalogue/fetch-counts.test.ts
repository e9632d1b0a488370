import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, publish, type Skill } from '../support/skills.ts'
import { words } from '../support/words.ts'

const day = 86_400_000

describe.each(engines)('fetch counts on %s', async (engine) => {
  const server = await startTestServer({ engine, env: { TRUST_PROXY: 'loopback' } })
  const author = await server.agent('author')
  const read = (skill: Skill, address = '203.0.113.1', path = addressOf(skill)) =>
    ask(server, 'GET', path, { headers: { 'x-forwarded-for': address } })
  const flush = async () => {
    await server.runJob('writing counters')
    await server.runJob('reading changes')
  }
  const fetches = async ({ id }: Skill) => {
    await flush()
    return (await server.client.registry.skills.stats({ params: { id } })).fetchCount
  }

  test('a reader is counted once per skill and day', async () => {
    const skill = await publish(author)
    for (let i = 0; i < 5; i++) await read(skill)
    expect(await fetches(skill)).toBe(1)
    await read(skill)
    expect(await fetches(skill)).toBe(1)
    server.clock.advance(day)
    await read(skill)
    expect(await fetches(skill)).toBe(2)
    // Fetches of two days in one flush count twice.
    for (let next = 0; next < 2; next++) {
      server.clock.advance(day)
      await read(skill)
    }
    expect(await fetches(skill)).toBe(4)
  })

  test('readers are distinguished by IPv4 address and by IPv6 /56', async () => {
    const skill = await publish(author)
    for (const address of words(`
      203.0.113.1 203.0.113.2 ::ffff:203.0.113.2 2001:db8:1:200::1 2001:db8:1:2ff:ffff::9
      2001:db8:1:300::1
    `)) {
      await read(skill, address)
    }
    expect(await fetches(skill)).toBe(4)
  })

  test('fetches of any version and 304 responses count, but pages, HEAD, requests by id and errors do not', async () => {
    const skill = await publish(author)
    const address = addressOf(skill)
    await read(skill, '198.51.100.1', `${address}?version=1`)
    const headers = { 'if-none-match': `"${skill.digest}"`, 'x-forwarded-for': '198.51.100.2' }
    expect((await ask(server, 'GET', address, { headers })).status).toBe(304)
    expect(await fetches(skill)).toBe(2)
    const from = { 'x-forwarded-for': '198.51.100.3' }
    await ask(server, 'GET', address, { headers: { ...from, accept: 'text/html' } })
    await ask(server, 'HEAD', address, { headers: from })
    await ask(server, 'GET', `/api/v1/skills/${skill.id}`, { headers: from })
    await ask(server, 'GET', `${address}?version=9`, { headers: from })
    expect(await fetches(skill)).toBe(2)
  })

  test("the downloads of a repository are the sum of its skills' fetches", async () => {
    const owner = await server.agent('owner')
    const [one, two] = [await publish(owner), await publish(owner)]
    await read(one, '192.0.2.1')
    await read(one, '192.0.2.2')
    await read(two, '192.0.2.1')
    await flush()
    const { data } = await server.client.registry.skills.search({
      query: { owner: owner.username, sort: 'downloads' },
    })
    expect(data.map((item) => item.repo.downloadCount)).toEqual([3, 3])
    expect(data.map((item) => item.fetchCount).sort()).toEqual([1, 2])
    const { data: detail } = await server.client.registry.skills.get({ params: { id: one.id } })
    expect(detail).toMatchObject({ fetchCount: 2, repo: { downloadCount: 3 } })
  })

  test('the database stores no address of a reader, and deletes readers after the day', async () => {
    const skill = await publish(author)
    await read(skill, '203.0.113.77')
    await flush()
    const rows = () => server.ctx.db.read.selectFrom('fetches').selectAll().execute()
    expect(JSON.stringify(await rows())).not.toContain('203.0.113')
    expect((await rows()).length).toBeGreaterThan(0)
    server.clock.advance(day)
    await server.runJob('removing old records')
    expect(await rows()).toEqual([])
    expect(await fetches(skill)).toBe(1)
  })
})
