import { catchUp } from '@skillpass/server/discovery/change-feed'
import { describe, expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { addressOf, ask, nobody, publish } from '../../support/skills.ts'
import { addressIn, networkNumber } from '../../support/voters.ts'

describe('made-up readers in their hundreds of thousands', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })

  test('600,000 readers of 60 networks, and as many of one, keep no honest reader from counting', async () => {
    const skill = await publish(await server.agentFrom('198.51.100.1', 'author'))
    const { counters } = server.ctx
    const honest = { headers: { 'x-forwarded-for': addressIn(500) } }
    const countOf = async () => {
      await counters.flush()
      await catchUp(server.ctx)
      const { stats } = server.client.registry.skills
      return (await stats({ params: { id: skill.id } })).fetchCount
    }
    let reader = 0
    const flood = (networkOf: (i: number) => number) => {
      for (let i = 0; i < 50_000; i++) {
        const n = networkOf(i)
        const network = `${networkNumber(n)}.0/24`
        counters.fetched(nobody, { address: `${++reader}`, network, agentId: undefined })
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
    expect(await countOf()).toBe(1)
    // The counters have forgotten some readers of the day; the database knows them.
    await ask(server, 'GET', addressOf(skill), honest)
    expect(await countOf()).toBe(1)
  })
})
