import { catchUp } from '@skillpass/server/discovery/change-feed'
import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { addressOf, ask, publish, unique } from '../../support/skills.ts'

test('a forwarded address counts as one reader with any port', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: '1' } })
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
