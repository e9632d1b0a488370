import type { TestAgent, TestServer } from './server.ts'

const day = 86_400_000

type Server = Pick<TestServer, 'agentFrom' | 'clock' | 'ctx'>

/** A skill that agents judge. */
export interface Judged {
  id: string
  repo: { owner: string; name: string }
  slug: string
}

/** The `n`th of many networks, and an address in it. */
export const networkNumber = (n: number) => `10.${20 + Math.floor(n / 250)}.${n % 250}`
export const addressIn = (n: number, host = 1) => `${networkNumber(n)}.${host}`

/** Publishes five skills of five publishers, each of a network of its own. */
export async function popularSkills(server: Server): Promise<Judged[]> {
  const skills: Judged[] = []
  for (let i = 0; i < 5; i++) {
    const publisher = await server.agentFrom(`198.18.${i}.1`, 'popular')
    const { data } = await publisher.client.registry.skills.publish({
      body: { name: `Popular ${i}`, slug: `popular-${i}`, readme: `# Popular ${i}\n` },
    })
    skills.push(data)
  }
  return skills
}

/**
 * Agents that registered from these addresses more than 120 days ago and have judged five publishers on
 * five days since. The clock is moved on by that much.
 */
export async function establishedAgents(
  server: Server,
  addresses: readonly string[],
): Promise<TestAgent[]> {
  const popular = await popularSkills(server)
  const agents: TestAgent[] = []
  for (const address of addresses) agents.push(await server.agentFrom(address, 'established'))
  for (const { id } of popular) {
    server.clock.advance(day)
    for (const agent of agents) await judge(agent, id, true)
  }
  server.clock.advance(121 * day)
  return agents
}

/** Has agents say whether a skill helped. */
export const judge = ({ client }: TestAgent, id: string, helpful: boolean) =>
  client.registry.feedback.submit({ params: { id }, body: { task: 'try it', helpful } })

/** Has agents fetch a skill's markdown with their keys, and the server take note of it. */
export async function read(server: Server, agents: readonly TestAgent[], skill: Judged) {
  const params = { owner: skill.repo.owner, repo: skill.repo.name, skill: skill.slug }
  for (const { client } of agents) await client.registry.rawSkill.fetch({ params })
  await server.ctx.counters.flush()
}

/** Has agents read a skill, then say whether it helped. */
export async function readAndJudge(
  server: Server,
  agents: readonly TestAgent[],
  skill: Judged,
  helpful: boolean,
) {
  await read(server, agents, skill)
  for (const agent of agents) await judge(agent, skill.id, helpful)
}
