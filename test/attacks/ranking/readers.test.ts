import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { addressOf, ask, nobody, publish, unique } from '../../support/skills.ts'
import { addressIn, flushFetches, networkNumber } from '../../support/voters.ts'

const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
const author = await server.agentFrom('198.51.100.1', 'author')
const countOf = async (id: string) => {
  await flushFetches(server)
  return (await server.client.registry.skills.stats({ params: { id } })).fetchCount
}
const revision = async () => {
  await server.runJob('writing counters')
  const { db } = server.ctx
  const rows = db.read.selectFrom('registry_revision').select('revision')
  return (await rows.executeTakeFirstOrThrow()).revision
}

test('an unknown, revoked or expired API key does not count as a second reader', async () => {
  const skill = await publish(author)
  const read = async (key?: string) => {
    const headers = { 'x-forwarded-for': addressIn(1) }
    const response = await ask(server, 'GET', addressOf(skill), {
      headers,
      ...(key === undefined ? {} : { key }),
    })
    expect(response.status).toBe(200)
  }
  const reader = await server.agentFrom(addressIn(2), 'reader')
  const keys = reader.client.registry.apiKeys
  const expiresAt = new Date(server.clock.now() + 3_600_000).toISOString()
  const { data: short } = await keys.create({ body: { name: 'short', expiresAt } })
  const { data: gone } = await keys.create({ body: { name: 'gone' } })
  await keys.revoke({ params: { id: gone.id } })
  server.clock.advance(3_600_000)
  await read()
  const before = await revision()
  const { registry } = (await (await startTestServer()).agent()).client
  for (let i = 0; i < 20; i++) {
    const { data: foreign } = await registry.apiKeys.create({ body: { name: 'foreign' } })
    await read(foreign.key)
  }
  await read(gone.key)
  await read(short.key)
  expect(await revision()).toBe(before)
  // All valid keys of an agent are one reader.
  await read(reader.apiKey)
  const after = await revision()
  expect(after).toBeGreaterThan(before)
  const { data: another } = await keys.create({ body: { name: 'another' } })
  await read(another.key)
  expect(await revision()).toBe(after)
  const reads = server.ctx.db.read.selectFrom('reads').select('reader')
  const rows = await reads.where('skill_id', '=', skill.id).execute()
  const readers = rows.map((row) => row.reader)
  expect(readers).toContain(reader.id)
  expect(readers).toHaveLength(2)
  expect(await countOf(skill.id)).toBe(1)
})

test('the stored reader of an address depends on the key, which is not in the database', async () => {
  const readersOf = async (env: Record<string, string>) => {
    const server = await startTestServer({ env: { TRUST_PROXY: 'loopback', ...env } })
    const skill = await publish(await server.agentFrom('198.51.100.1', 'author'))
    const headers = { 'x-forwarded-for': addressIn(7) }
    await ask(server, 'GET', addressOf(skill), { headers })
    await server.runJob('writing counters')
    const rows = await server.ctx.db.read.selectFrom('fetches').select('reader').execute()
    return rows.flatMap(({ reader }) => (reader.startsWith('net ') ? [] : [reader]))
  }
  const key = randomBytes(32).toString('base64')
  const [one, same, other] = [
    await readersOf({}),
    await readersOf({}),
    await readersOf({ ENCRYPTION_KEY: key }),
  ]
  // One of the skill and one of its version.
  expect(one).toHaveLength(2)
  expect(same).toEqual(one)
  expect(other).not.toEqual(one)
})

test('a network that floods the fetch counters does not keep other readers from being counted', async () => {
  const skill = await publish(author)
  const readFrom = (n: number) =>
    ask(server, 'GET', addressOf(skill), { headers: { 'x-forwarded-for': addressIn(n) } })
  const network = `${networkNumber(700)}.0/24`
  await readFrom(500)
  const unread = { skillId: nobody, version: 1, kind: 'fetches' as const }
  // Exceeds the capacity between two flushes, and is six times the share of one network.
  for (let n = 1; n <= 60_000; n++) {
    server.ctx.counters.fetched(unread, { address: `${n}`, network, agentId: undefined })
  }
  await readFrom(501)
  expect(await countOf(skill.id)).toBe(2)
  for (const n of [500, 501]) await readFrom(n)
  expect(await countOf(skill.id)).toBe(2)
})

test('a forwarded address is one reader, whatever its port', async () => {
  const skill = await publish(author)
  for (const address of [
    ...['9.9.9.9', '9.9.9.9:1', '9.9.9.9:2', '[::ffff:9.9.9.9]:3', '::ffff:909:909'],
    ...['2001:db8::1', '[2001:db8::1]:1', '[2001:db8::1]:2', '2001:db8::1%1'],
    ...['', 'unknown', unique('garbage'), unique('garbage'), '[::1', '9.9.9'],
  ]) {
    await ask(server, 'GET', addressOf(skill), { headers: { 'x-forwarded-for': address } })
  }
  expect(await countOf(skill.id)).toBe(3)
})
