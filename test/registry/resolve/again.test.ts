import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { publish, type Skill } from '../../support/skills.ts'
import { addressIn, establishedAgents, readAndJudge } from '../../support/voters.ts'

describe('a task asked again and again', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
  const query = { task: 'fill in a PDF form from a spreadsheet', threshold: 0 }
  const same = {
    slug: 'pdf-forms',
    name: 'PDF form filler',
    description: 'Fills in PDF forms from a spreadsheet.',
  }
  let owner: TestAgent
  let first: Skill

  beforeAll(async () => {
    owner = await server.agent('owner')
    first = await publish(owner, same)
    await publish(owner, { slug: 'git-bisect', description: 'Finds the commit that broke it.' })
  })

  /** Skills of the answer, the same three times: what is asked twice is remembered. */
  const ids = async () => {
    const { resolve } = server.client.registry.skills
    const once = await resolve({ query })
    for (let time = 0; time < 2; time++) expect(await resolve({ query })).toEqual(once)
    return once.data.map(({ skill }) => skill.id)
  }

  test('shows what is published, voted on and removed in between', async () => {
    expect(await ids()).toEqual([first.id])
    const second = await publish(await server.agent('second'), same)
    expect((await ids()).sort()).toEqual([first.id, second.id].sort())

    const addresses = Array.from({ length: 10 }, (_, network) => addressIn(network))
    await readAndJudge(server, await establishedAgents(server, addresses), first, false)
    expect(await ids()).toEqual([second.id, first.id])

    await owner.client.registry.skills.delete({ params: { id: first.id } })
    expect(await ids()).toEqual([second.id])
  })
})
