import { expect } from 'vitest'
import type { TestAgent, TestServer } from './server.ts'
import { eventually } from './waiting.ts'

const day = 86_400_000

type Server = Pick<TestServer, 'agentFrom' | 'clock' | 'runJob'>

/** A skill that agents give feedback on. */
export interface RatedSkill {
  id: string
  repo: { owner: string; name: string }
  slug: string
}

/** The prefix of the `n`th network. */
export const networkNumber = (n: number) => `10.${20 + Math.floor(n / 250)}.${n % 250}`
export const addressIn = (n: number, host = 1) => `${networkNumber(n)}.${host}`

/** Registers agents from these addresses, then advances the clock by eight days. */
export async function establishedAgents(
  server: Server,
  addresses: readonly string[],
): Promise<TestAgent[]> {
  const agents: TestAgent[] = []
  for (const address of addresses) agents.push(await server.agentFrom(address, 'established'))
  server.clock.advance(8 * day)
  return agents
}

/** Submits an agent's feedback on a skill. */
export const judge = ({ client }: TestAgent, id: string, helpful: boolean) =>
  client.registry.feedback.submit({ params: { id }, body: { task: 'try it', helpful } })

/** Fetches a skill's markdown as each agent, then flushes the fetch counters. */
export async function read(server: Server, agents: readonly TestAgent[], skill: RatedSkill) {
  const params = { owner: skill.repo.owner, repo: skill.repo.name, skill: skill.slug }
  for (const { client } of agents) await client.registry.rawSkill.fetch({ params })
  await server.runJob('writing counters')
}

/** Flushes the fetch counters and applies them to the catalogue. */
export async function flushFetches({ runJob }: Pick<TestServer, 'runJob'>): Promise<void> {
  await runJob('writing counters')
  await runJob('reading changes')
}

/** Reads a skill's trust score, stars and feedback from a server. */
export async function trustFigures({ client: { registry } }: TestServer, id: string) {
  const { data } = await registry.skills.get({ params: { id } })
  const summary = await registry.feedback.summary({ params: { id } })
  return {
    trust: Number(data.trustScore.toFixed(9)),
    stars: [data.starCount, data.repo.starCount],
    feedback: [summary.totalFeedback, summary.helpfulRate, summary.recentFeedback.length],
  }
}

/** Waits until all nodes return these trust figures for a skill. */
export async function expectTrustFigures(
  nodes: readonly TestServer[],
  id: string,
  expected: object,
) {
  for (const node of nodes) {
    await eventually(async () => expect(await trustFigures(node, id)).toMatchObject(expected))
  }
}

/** Fetches a skill as each agent, then submits their feedback. */
export async function fetchAndRate(
  server: Server,
  agents: readonly TestAgent[],
  skill: RatedSkill,
  helpful: boolean,
) {
  await read(server, agents, skill)
  for (const agent of agents) await judge(agent, skill.id, helpful)
}
