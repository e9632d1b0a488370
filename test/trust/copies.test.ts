import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish, type Skill } from '../support/skills.ts'

const readme = `# Tide tables

1. Find the table of the nearest reference port and read the two high waters of the day.
2. Add the offset of the harbour, in minutes, to each of them.
3. Correct the height for the pressure: a centimetre for each hectopascal from the mean.
4. Subtract the draught and the clearance to learn when the sill can be crossed.
5. Write the window down with the date, the port and the source of the table.
`

test('near-copies stay in the result and name the oldest skill as original, even if it is beyond the limit', async () => {
  const server = await startTestServer()
  const skills: Skill[] = []
  for (const port of ['dover', 'calais', 'ostend']) {
    server.clock.advance(1000)
    const skill = {
      slug: 'tide-tables',
      name: 'Tide table reader',
      description: 'Reads tide tables and tells when a harbour can be entered.',
      readme: `${readme}\nUsed at ${port}.\n`,
    }
    skills.push(await publish(await server.agent(port), skill))
  }
  const description = 'Forecasts the tide of a harbour from its sea level sensors.'
  const other = await publish(await server.agent('other'), { slug: 'tide-forecast', description })

  const [oldest, ...copies] = skills
  if (!oldest) throw new Error('Three skills were published.')
  const { id, name, fetchUrl } = oldest
  const originalsFor = async (limit: number) => {
    const task = 'when can the harbour be entered at low tide'
    const query = { task, limit, threshold: 0 }
    const { data } = await server.client.registry.skills.resolve({ query })
    return data.map((hit) => [hit.skill.id, hit.copyOf] as const)
  }
  expect(Object.fromEntries(await originalsFor(10))).toEqual({
    [id]: null,
    [other.id]: null,
    ...Object.fromEntries(copies.map((copy) => [copy.id, { id, name, fetchUrl }])),
  })
  for (const limit of [1, 2]) {
    const originals = (await originalsFor(limit)).map(([hit, copyOf]) => copyOf?.id ?? hit)
    expect(originals).toEqual(Array(limit).fill(id))
  }
})
