import type { Db } from '../../db/open.ts'
import { setAgentNetwork } from '../store/networks.ts'
import { findVote, upsertVote, type Vote } from '../store/votes.ts'
import { agedWeight, type Votes } from './trust.ts'
import { type Ballot, type Voter, weighVote } from './weigh.ts'

/**
 * Puts an agent's vote in place of its earlier one and gives the skill's new sums. Said again, a vote
 * never weighs less than before. Runs after `nextRevision`; `voter` as `findVoter` gives it.
 */
export async function castVote(
  trx: Db,
  sums: Votes,
  helpful: boolean,
  { ballot, voter }: { ballot: Ballot; voter: Voter },
): Promise<Votes> {
  const { skill, agentId, castNetwork, votedAt } = ballot
  const { network, standing } = voter
  const key = { skillId: skill.id, agentId }
  // An agent older than networks, or one that the operator made, is of where it first votes from.
  const [earlier, weighed] = await Promise.all([
    findVote(trx, key),
    weighVote(trx, ballot, voter),
    voter.isNewNetwork ? setAgentNetwork(trx, agentId, network) : undefined,
  ])
  const kept = earlier?.helpful === helpful ? earlier.weight : 0
  const weight = Math.max(kept, weighed)
  const { hasRead } = standing
  const vote = { helpful, votedAt, weight, network, castNetwork, hasRead, weighedAt: votedAt }
  await upsertVote(trx, key, vote)
  return replaceVote(sums, earlier, vote)
}

type Counted = Pick<Vote, 'helpful' | 'votedAt' | 'weight'>

/** A skill's sums after one vote took the place of another. */
export function replaceVote(
  { helpfulWeight, unhelpfulWeight }: Votes,
  earlier: Counted | undefined,
  vote: Counted | undefined,
): Votes {
  const on = (of: Counted | undefined, side: boolean) =>
    of?.helpful === side ? agedWeight(of.weight, of.votedAt) : 0
  const move = (from: number, side: boolean) =>
    Math.max(0, from - on(earlier, side) + on(vote, side))
  return {
    helpfulWeight: move(helpfulWeight, true),
    unhelpfulWeight: move(unhelpfulWeight, false),
  }
}
