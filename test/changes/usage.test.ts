import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, expectError, nobody, publish } from '../support/skills.ts'

const day = 86_400_000

describe.each(engines)('usage by day and version on %s', async (engine) => {
  const server = await startTestServer({ engine, env: { TRUST_PROXY: 'loopback' } })
  const author = await server.agentFrom('198.51.100.1', 'author')
  const { skills } = author.client.registry

  test('publishers see the clients that fetched and installed each version on each day', async () => {
    const skill = await publish(author, { readme: 'one' })
    const path = addressOf(skill)
    const read = (below: string, address: string) =>
      ask(server, 'GET', path + below, { headers: { 'x-forwarded-for': address } })
    const today = new Date(server.clock.now()).toISOString().slice(0, 10)
    await skills.update({ params: { id: skill.id }, body: { readme: 'two' } })
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.1', '198.51.100.1']) {
      await read('?format=md', address)
      await read('?version=1', address)
      await read('/archive.zip', address)
    }
    await read('/archive.tar.gz', '203.0.113.1')
    await read('/files/SKILL.md?version=1', '203.0.113.9')
    await server.runJob('writing counters')
    await read('/archive.zip', '203.0.113.2')
    server.clock.advance(day)
    await read(`/.well-known/skills/${skill.slug}/SKILL.md`, '203.0.113.1')
    await server.runJob('writing counters')
    const usage = async (days: number) =>
      (await skills.usage({ params: { id: skill.id }, query: { days } })).data
    const tomorrow = new Date(server.clock.now()).toISOString().slice(0, 10)
    const last = { day: tomorrow, version: 2, fetches: 0, installs: 1 }
    expect(await usage(1)).toEqual([last])
    const all = [
      last,
      { day: today, version: 2, fetches: 2, installs: 2 },
      { day: today, version: 1, fetches: 2, installs: 1 },
    ]
    expect(await usage(2)).toEqual(all)
    server.clock.advance(398 * day)
    await server.runJob('removing old records')
    expect(await usage(400)).toEqual(all)
    server.clock.advance(2 * day)
    await server.runJob('removing old records')
    expect(await usage(400)).toEqual([])
  })

  test('usage is refused to others, for missing and hidden skills and for wrong numbers of days', async () => {
    const stranger = await server.agent('stranger')
    const { id } = await publish(author)
    const get = (of: string, key?: string) =>
      ask(server, 'GET', `/api/v1/skills/${of}/usage`, key === undefined ? {} : { key })
    await expectError(get(id), 'UNAUTHORIZED')
    await expectError(get(id, stranger.apiKey), 'FORBIDDEN')
    await expectError(get(nobody, author.apiKey), 'NOT_FOUND')
    const path = `/api/v1/skills/${id}/usage?days=401`
    await expectError(ask(server, 'GET', path, { key: author.apiKey }), 'VALIDATION_ERROR')
    await server.moderate('skill hide', id)
    await expectError(get(id, author.apiKey), 'UNAVAILABLE_FOR_LEGAL_REASONS')
  })
})
