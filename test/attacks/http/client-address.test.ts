import { catchUp } from '@skillpass/server/discovery/change-feed'
import { describe, expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { addressOf, ask, publish, unique } from '../../support/skills.ts'

/** Addresses as proxies forward them, and the network that they belong to. */
const written = [
  ['9.9.9.9:1234', '9.9.9.0/24'],
  ['[2001:db8:7::1]:443', '2001:db8:7::/48'],
  ['[2001:db8:7::1]', '2001:db8:7::/48'],
  ['2001:db8:7::1%eth0', '2001:db8:7::/48'],
  ['::ffff:9.9.9.9', '9.9.9.0/24'],
  ['[::ffff:909:909]:8080', '9.9.9.0/24'],
  ['2001:db8:7::9.9.9.9', '2001:db8:7::/48'],
  // Not an address, so the proxy's own counts.
  ['garbage', '127.0.0.0/24'],
  ['9.9.9.256', '127.0.0.0/24'],
  ['9.9.9.9:port', '127.0.0.0/24'],
  ['1:2:3', '127.0.0.0/24'],
] as const

describe('the forwarded address of a client', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: '1' } })

  test.each(written)(
    'the forwarded address %s belongs to the network %s',
    async (address, network) => {
      const agent = await server.agent('addressed')
      const headers = { 'x-forwarded-for': address }
      await ask(server, 'GET', '/api/v1/agents/me', { key: agent.apiKey, headers })
      await server.ctx.counters.flush()
      const [key] = (await agent.client.registry.apiKeys.list()).data
      expect(key?.lastUsedNetwork).toBe(network)
    },
  )

  test('a forwarded address counts as one reader with any port', async () => {
    const skill = await publish(await server.agent('author'))
    for (const address of [
      ...['9.9.9.9', '9.9.9.9:1', '9.9.9.9:2', '[::ffff:9.9.9.9]:3', '::ffff:909:909'],
      ...['2001:db8::1', '[2001:db8::1]:1', '[2001:db8::1]:2', '2001:db8::1%1'],
      ...['', 'unknown', unique('garbage'), unique('garbage'), '[::1', '9.9.9'],
    ]) {
      await ask(server, 'GET', addressOf(skill), { headers: { 'x-forwarded-for': address } })
    }
    await server.ctx.counters.flush()
    await catchUp(server.ctx)
    const { fetchCount } = await server.client.registry.skills.stats({ params: { id: skill.id } })
    expect(fetchCount).toBe(3)
  })
})
