import { beforeAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish, type Skill } from '../support/skills.ts'

const readme = `# Tide tables

1. Find the table of the nearest reference port and read the two high waters of the day.
2. Add the offset of the harbour, in minutes, to each of them.
3. Correct the height for the pressure: a centimetre for each hectopascal from the mean.
4. Subtract the draught and the clearance to learn when the sill can be crossed.
5. Write the window down with the date, the port and the source of the table.
`

describe('near-copies in resolve', async () => {
  const server = await startTestServer()
  const task = 'when can the harbour be entered at low tide'
  const skills: Skill[] = []

  beforeAll(async () => {
    for (const port of ['dover', 'calais', 'ostend']) {
      server.clock.advance(1000)
      const agent = await server.agent(port)
      const fields = {
        slug: 'tide-tables',
        name: 'Tide table reader',
        description: 'Reads tide tables and tells when a harbour can be entered.',
        readme: `${readme}\nUsed at ${port}.\n`,
      }
      skills.push(await publish(agent, fields))
    }
    const description = 'Forecasts the tide of a harbour from its sea level sensors.'
    await publish(await server.agent('other'), { slug: 'tide-forecast', description })
  })

  const resolve = (limit = 10) =>
    server.client.registry.skills.resolve({ query: { task, limit, threshold: 0 } })
  const told = async (limit?: number) =>
    Object.fromEntries((await resolve(limit)).data.map((hit) => [hit.skill.id, hit.copyOf]))
  const named = ({ id, name, fetchUrl }: Skill) => ({ id, name, fetchUrl })

  test('near-copies stay in the answer and name the oldest, and no other skill does', async () => {
    const copies = await told()
    const [oldest, ...others] = skills
    if (!oldest) throw new Error('Three skills were published.')
    expect(Object.keys(copies)).toHaveLength(4)
    expect(copies[oldest.id]).toBeNull()
    for (const { id } of others) expect(copies[id]).toEqual(named(oldest))
    expect(Object.values(copies).filter((copyOf) => copyOf === null)).toHaveLength(2)
  })

  test('a near-copy names the oldest even beyond the limit', async () => {
    const [oldest] = skills
    const [best] = (await resolve(1)).data
    expect(skills.map(({ id }) => id)).toContain(best?.skill.id)
    expect(best?.copyOf?.id ?? best?.skill.id).toBe(oldest?.id)
    const { data } = await resolve(2)
    expect(data.map(({ skill, copyOf }) => copyOf?.id ?? skill.id)).toEqual([
      oldest?.id,
      oldest?.id,
    ])
  })
})
