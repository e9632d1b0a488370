import type { Db } from '../../db/open.ts'
import { utcDay } from '../../runtime/time.ts'
import { countAgentsFrom, findAgentStanding } from '../store/networks.ts'
import { hasReadSince } from '../store/reads.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { listJudged, sumDay, sumSide } from '../store/votes.ts'
import { crowdWindow, historyOf, type Standing, voteFactor } from './weight.ts'

const day = 86_400_000

/** A skill is followed for a while after it was read. */
const readingWindow = 14 * day
/** An agent's last votes that make its history. */
const judgedVotes = 100
/** Agents of a network beyond which it hardly counts anyway. */
const largestCrowd = 10_000

/** A vote to be weighed; `castNetwork` is a key, empty where unknown. */
export interface Ballot {
  skill: Pick<SkillRecord, 'id' | 'owner' | 'repository'>
  agentId: string
  votedAt: number
  castNetwork: string
  /** Whether it is known that the agent had read the skill. */
  hadRead: boolean
}

/** Who casts a vote, as far as that weighs. */
export interface Voter {
  /** Key of where it registered from, or else of where it votes from. */
  network: string
  /** Whether `network` was unknown before. */
  isNewNetwork: boolean
  /** Whether it is the skill's owner, or of the network that the owner registered from. */
  isOwn: boolean
  standing: Standing
}

/** Looks up what a voter's word weighs at a time; `db` may be outside the transaction that keeps it. */
export async function findVoter(db: Db, ballot: Ballot, now: number): Promise<Voter> {
  const { skill, agentId, votedAt, castNetwork } = ballot
  const [agent, owner] = await Promise.all([
    findAgentStanding(db, agentId),
    findAgentStanding(db, skill.owner.id),
  ])
  const network = agent.network ?? castNetwork
  const since = votedAt - readingWindow
  const window = { day: utcDay(since), since, until: utcDay(votedAt) }
  const publisher = skill.repository.owner.toLowerCase()
  const [hasRead, judged, crowd] = await Promise.all([
    ballot.hadRead || hasReadSince(db, skill.id, [agentId, network, castNetwork], window),
    listJudged(db, { agentId, network, before: dayStart(now), publisher }, judgedVotes),
    // Strangers of an unknown network are no crowd; together they count like one all the same.
    network === '' ? 1 : countAgentsFrom(db, network, agent.createdAt + crowdWindow, largestCrowd),
  ])
  return {
    network,
    isNewNetwork: agent.network === null && network !== '',
    isOwn:
      skill.owner.id === agentId ||
      (owner.network !== null && [network, castNetwork].includes(owner.network)),
    standing: { age: now - agent.createdAt, history: historyOf(judged), hasRead, crowd },
  }
}

/**
 * What the vote weighs beside what its networks have said already on the same side, 0 to 1. Runs in the
 * transaction that keeps it, after `nextRevision`, so that votes cast at once see each other.
 */
export async function weighVote(
  trx: Db,
  ballot: Ballot,
  voter: Voter,
  helpful: boolean,
): Promise<number> {
  if (voter.isOwn) return 0
  const key = { skillId: ballot.skill.id, agentId: ballot.agentId }
  const from = dayStart(ballot.votedAt)
  let [onSide, onDay] = [0, 0]
  for (const network of new Set([voter.network, ballot.castNetwork])) {
    onSide = Math.max(onSide, await sumSide(trx, key, network, helpful))
    onDay = Math.max(onDay, await sumDay(trx, key, network, { from, to: from + day }))
  }
  return voteFactor(voter.standing, { onSide, onDay })
}

const dayStart = (time: number) => Math.floor(time / day) * day
