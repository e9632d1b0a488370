import { beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { publish, type Skill } from '../support/skills.ts'
import { addressIn, establishedAgents, type RatedSkill, read } from '../support/voters.ts'

const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
const task = 'fill in a PDF form from a spreadsheet'
let voters: TestAgent[]
let rated: Skill
let other: Skill

beforeAll(async () => {
  const publisher = async (name: string, fields: Parameters<typeof publish>[1]) =>
    publish(await server.agent(name), fields)
  const same = {
    slug: 'pdf-forms',
    name: 'PDF form filler',
    description: 'Fills in PDF forms from a spreadsheet.',
    readme: '# PDF form filler\n\nRead the fields of the form, then fill them in.\n',
  }
  rated = await publisher('first', same)
  other = await publisher('second', same)
  await publisher('third', { slug: 'pdf-merge', description: 'Merges and splits PDF files.' })
  await publisher('fourth', { slug: 'git-bisect', description: 'Finds the commit that broke it.' })
  const addresses = Array.from({ length: 30 }, (_, i) => addressIn(i))
  voters = await establishedAgents(server, addresses)
})

const resolve = () => server.client.registry.skills.resolve({ query: { task, threshold: 0 } })
const rankedIds = ({ data }: Awaited<ReturnType<typeof resolve>>) =>
  data.map(({ skill }) => skill.id)
const hitOf = async ({ id }: Skill) => (await resolve()).data.find(({ skill }) => skill.id === id)
const vote = async (agents: TestAgent[], skill: RatedSkill, helpful: boolean) => {
  await read(server, agents, skill)
  const { id } = skill
  await Promise.all(
    agents.map(({ client }) =>
      client.registry.feedback.submit({ params: { id }, body: { task, helpful } }),
    ),
  )
}

test('thirty unhelpful votes rank a skill behind an equal one, but not behind skills that hardly match', async () => {
  const before = await hitOf(rated)
  await vote(voters, rated, false)
  const after = await resolve()
  expect(rankedIds(after).slice(0, 2)).toEqual([other.id, rated.id])
  const lowered = await hitOf(rated)
  const share = (lowered?.score ?? 0) / (before?.score ?? 1)
  expect(share).toBeGreaterThan(0.5)
  expect(share).toBeLessThan(0.8)
  expect(lowered?.confidence).toBeLessThan(before?.confidence ?? 0)
  expect(after.data[0]?.confidence).toBe(before?.confidence)
})

test('a skill whose confidence votes lower below the threshold is neither listed nor counted', async () => {
  const all = await resolve()
  const [best, second] = all.data.map(({ confidence }) => confidence)
  const threshold = Number((((best ?? 0) + (second ?? 0)) / 2).toFixed(6))
  const { data, matched } = await server.client.registry.skills.resolve({
    query: { task, threshold },
  })
  expect(data.map(({ skill }) => skill.id)).toEqual([other.id])
  expect(matched).toBe(1)
  expect(all.matched).toBe(all.data.length)
})
