import { catchUp } from '@skillpass/server/discovery/change-feed'
import { expect } from 'vitest'
import type { TestAgent, TestServer } from './server.ts'
import { eventually } from './waiting.ts'

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

/** Agents that registered from these addresses eight days ago. The clock is moved on by that much. */
export async function establishedAgents(
  server: Server,
  addresses: readonly string[],
): Promise<TestAgent[]> {
  const agents: TestAgent[] = []
  for (const address of addresses) agents.push(await server.agentFrom(address, 'established'))
  server.clock.advance(8 * day)
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

/** Has the server take note of fetches. */
export async function noteFetches({ ctx }: Pick<TestServer, 'ctx'>): Promise<void> {
  await ctx.counters.flush()
  await catchUp(ctx)
}

/** What a server shows of the judgement of a skill. */
export async function judgementOf({ client: { registry } }: TestServer, id: string) {
  const { data } = await registry.skills.get({ params: { id } })
  const said = await registry.feedback.summary({ params: { id } })
  return {
    trust: Number(data.trustScore.toFixed(9)),
    stars: [data.starCount, data.repo.starCount],
    feedback: [said.totalFeedback, said.helpfulRate, said.recentFeedback.length],
  }
}

/** Waits until all nodes show this judgement of a skill. */
export async function expectJudged(nodes: readonly TestServer[], id: string, expected: object) {
  for (const node of nodes) {
    await eventually(async () => expect(await judgementOf(node, id)).toMatchObject(expected))
  }
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
