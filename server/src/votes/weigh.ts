import type { Db } from '../db/open.ts'
import { dayLength } from '../runtime/time.ts'
import { findFirstAgentTime } from '../store/agents/agents.ts'
import { findMemberRole } from '../store/agents/members.ts'
import { countAgentsFrom, findAgentNetwork, setAgentNetwork } from '../store/agents/networks.ts'
import { hasRead } from '../store/registry/fetches.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { findVote, upsertVote } from '../store/registry/votes.ts'

/** Number of agents in a network up to which their votes have full weight. */
const smallNetwork = 5

/**
 * Returns the minimum age of an agent for its votes to count: half the registry's age, but at least
 * a day and at most a week. All in ms.
 */
const requiredAge = (registryAge: number): number =>
  Math.min(7 * dayLength, Math.max(dayLength, registryAge / 2))

/** An agent's vote before it is weighed. */
interface Ballot {
  skill: Pick<SkillRecord, 'id' | 'owner' | 'version'>
  agentId: string
  helpful: boolean
  /** Key of the client's network, empty if unknown. */
  castNetwork: string
  now: number
}

/** Stores the agent's vote on the skill. The caller must recount the skill. */
export async function castVote(trx: Db, ballot: Ballot): Promise<void> {
  const { skill, agentId, helpful, castNetwork, now } = ballot
  const agent = await findAgentNetwork(trx, agentId)
  // An agent created by the operator belongs to the network of its first vote.
  const network = agent.network ?? castNetwork
  if (agent.network === null && network !== '') await setAgentNetwork(trx, agentId, network)
  const key = { skillId: skill.id, agentId }
  const earlier = await findVote(trx, key)
  const earlierWeight = earlier?.helpful === helpful ? earlier.weight : 0
  const weight = Math.max(earlierWeight, await weigh(trx, ballot, { ...agent, network }))
  const { version } = skill
  await upsertVote(trx, key, { helpful, votedAt: now, weight, network, castNetwork, version })
}

/** Returns the weight of a vote, 0 to 1 (server/docs/registry.md#trust-score). */
async function weigh(
  trx: Db,
  { skill, agentId, castNetwork, now }: Ballot,
  { network, createdAt }: { network: string; createdAt: number },
): Promise<number> {
  if ((await findMemberRole(trx, agentId, skill.owner.id)) !== undefined) return 0
  const owner = await findAgentNetwork(trx, skill.owner.id)
  if (owner.network !== null && [network, castNetwork].includes(owner.network)) return 0
  const latestRegistration = now - requiredAge(now - (await findFirstAgentTime(trx)))
  if (createdAt > latestRegistration) return 0
  if (!(await hasRead(trx, skill.id, [agentId, network, castNetwork]))) return 0
  // Agents of unknown networks already count as one network.
  const agentCount = network === '' ? 1 : await countAgentsFrom(trx, network, latestRegistration)
  return Math.min(1, smallNetwork / agentCount)
}
