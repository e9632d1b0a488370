import {
  countAgentsFrom,
  findAgentNetwork,
  findFirstAgentTime,
  setAgentNetwork,
} from '../../agents/store/networks.ts'
import type { Database, Db } from '../../db/open.ts'
import { hasRead } from '../../skills/store/reads.ts'
import type { SkillRecord } from '../../skills/store/skill-record.ts'
import { findVote, upsertVote } from '../store/votes.ts'

const day = 86_400_000

/** Agents of a network that share its vote without making it weigh less. */
const SMALL_NETWORK = 5

/** An agent must be half as old as the registry for its votes to count, between a day and a week. */
export const requiredAge = (registryAge: number): number =>
  Math.min(7 * day, Math.max(day, registryAge / 2))

/** An agent's word on a skill. */
export interface Ballot {
  skill: Pick<SkillRecord, 'id' | 'owner' | 'version'>
  agentId: string
  helpful: boolean
  /** Key of the network it comes from, empty where unknown. */
  castNetwork: string
  now: number
}

/** Replaces the agent's vote on the skill. The skill's sums are to be counted anew. */
export async function castVote(db: Database, trx: Db, ballot: Ballot): Promise<void> {
  const { skill, agentId, helpful, castNetwork, now } = ballot
  const agent = await findAgentNetwork(trx, agentId)
  // An agent that the operator made belongs to the network that it first votes from.
  const network = agent.network ?? castNetwork
  if (agent.network === null && network !== '') await setAgentNetwork(trx, agentId, network)
  const key = { skillId: skill.id, agentId }
  const earlier = await findVote(trx, key)
  const kept = earlier?.helpful === helpful ? earlier.weight : 0
  const weight = Math.max(kept, await weigh(db, trx, ballot, { ...agent, network }))
  const { version } = skill
  await upsertVote(trx, key, { helpful, votedAt: now, weight, network, castNetwork, version })
}

/** What a vote weighs, 0 to 1 (server/docs/registry.md#trust-score). */
async function weigh(
  db: Database,
  trx: Db,
  { skill, agentId, castNetwork, now }: Ballot,
  { network, createdAt }: { network: string; createdAt: number },
): Promise<number> {
  if (skill.owner.id === agentId) return 0
  const owner = await findAgentNetwork(trx, skill.owner.id)
  if (owner.network !== null && [network, castNetwork].includes(owner.network)) return 0
  const grownUp = now - requiredAge(now - (await registryStart(db, trx)))
  if (createdAt > grownUp) return 0
  if (!(await hasRead(trx, skill.id, [agentId, network, castNetwork]))) return 0
  // Strangers of an unknown network count together as one anyway.
  const crowd = network === '' ? 1 : await countAgentsFrom(trx, network, grownUp)
  return Math.min(1, SMALL_NETWORK / crowd)
}

/** When the first agent registered; it never changes, so one look for each database is enough. */
const starts = new WeakMap<Database, number>()

async function registryStart(db: Database, trx: Db): Promise<number> {
  const start = starts.get(db) ?? (await findFirstAgentTime(trx))
  starts.set(db, start)
  return start
}
