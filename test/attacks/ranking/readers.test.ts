import { catchUp } from '@skillpass/server/registry/catalogue/change-feed'
import { createSecret } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { addressOf, ask, nobody, publish } from '../../support/skills.ts'
import { addressIn, networkNumber } from '../../support/voters.ts'

describe('readers that are made up,', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
  const author = await server.agentFrom('198.51.100.1', 'author')
  const flushed = async () => {
    await server.ctx.counters.flush()
    await catchUp(server.ctx)
  }
  const countOf = async (id: string) => {
    await flushed()
    return (await server.client.registry.skills.stats({ params: { id } })).fetchCount
  }
  const revision = async () => {
    await server.ctx.counters.flush()
    const { db } = server.ctx
    const rows = db.read.selectFrom('registry_revision').select('revision')
    return (await rows.executeTakeFirstOrThrow()).revision
  }

  test('a key that is nobody’s, revoked or expired makes no reader of its own', async () => {
    const skill = await publish(author)
    const read = async (key?: string) => {
      const headers = { 'x-forwarded-for': addressIn(1) }
      const answer = await ask(server, 'GET', addressOf(skill), {
        headers,
        ...(key === undefined ? {} : { key }),
      })
      expect(answer.status).toBe(200)
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
    for (let i = 0; i < 20; i++) await read(createSecret('apiKey', server.ctx.random))
    await read(gone.key)
    await read(short.key)
    expect(await revision()).toBe(before)
    // One that lives is its agent's, once.
    await read(reader.apiKey)
    const after = await revision()
    expect(after).toBeGreaterThan(before)
    const { data: another } = await keys.create({ body: { name: 'another' } })
    await read(another.key)
    expect(await revision()).toBe(after)
    const reads = server.ctx.db.read.selectFrom('reads').select('reader')
    const readers = (await reads.where('skill_id', '=', skill.id).execute()).map(
      (row) => row.reader,
    )
    expect(readers).toContain(reader.id)
    expect(readers).toHaveLength(2)
    expect(await countOf(skill.id)).toBe(1)
  })

  test('600,000 of 60 networks, and as many of one, keep no honest reader from counting', async () => {
    const skill = await publish(author)
    const honest = { headers: { 'x-forwarded-for': addressIn(500) } }
    const { counters } = server.ctx
    let made = 0
    const flood = (networkOf: (i: number) => number) => {
      for (let i = 0; i < 50_000; i++) {
        const n = networkOf(i)
        const network = `${networkNumber(n)}.0/24`
        counters.fetched(nobody, ++made, { address: addressIn(n), network, agentId: undefined })
      }
    }
    for (let round = 0; round < 12; round++) {
      flood((i) => 600 + round * 5 + (i % 5))
      await counters.flush()
    }
    for (let round = 0; round < 12; round++) {
      flood(() => 700)
      if (round === 11) await ask(server, 'GET', addressOf(skill), honest)
      await counters.flush()
    }
    expect(await countOf(skill.id)).toBe(1)
    // Whoever was forgotten meanwhile is known to the database.
    await ask(server, 'GET', addressOf(skill), honest)
    expect(await countOf(skill.id)).toBe(1)
  })
})
