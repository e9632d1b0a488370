import type { Db } from '../../db/open.ts'
import { setAgentNetwork } from '../store/networks.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { findVote, sumSides, upsertVote, type Vote, weighSide } from '../store/votes.ts'
import { agedWeight, type Votes } from './trust.ts'
import { type Ballot, type Voter, weighVote } from './weigh.ts'
import { partOfSide } from './weight.ts'

/**
 * Puts an agent's vote in place of its earlier one and gives the skill's new sums. Said again, a vote
 * never weighs less than before. Runs after `nextRevision`; `voter` as `findVoter` gives it, `sums` of the
 * skill as it is in this transaction.
 */
export async function castVote(
  trx: Db,
  sums: Votes & Pick<SkillRecord, 'version'>,
  helpful: boolean,
  { ballot, voter }: { ballot: Ballot; voter: Voter },
): Promise<Votes> {
  const { skill, agentId, castNetwork, votedAt } = ballot
  const { network, standing } = voter
  const key = { skillId: skill.id, agentId }
  // An agent older than networks, or one that the operator made, is of where it first votes from.
  const [earlier, weighed] = await Promise.all([
    findVote(trx, key),
    weighVote(trx, ballot, voter, helpful),
    voter.isNewNetwork ? setAgentNetwork(trx, agentId, network) : undefined,
  ])
  const kept = earlier?.helpful === helpful ? earlier.alone : 0
  const alone = Math.max(kept, weighed)
  const vote = {
    helpful,
    votedAt,
    weight: alone,
    alone,
    version: sums.version,
    network,
    castNetwork,
    hasRead: standing.hasRead,
    weighedAt: votedAt,
  }
  await upsertVote(trx, key, vote)
  const counted = replaceVote(sums, earlier, vote)
  return settleNetworks(trx, skill.id, counted, [network, earlier?.network])
}

/**
 * Has agents of a network who contradict each other on a skill share their network's weight, or take it
 * back where they do so no more. Gives the skill's new sums.
 */
export async function settleNetworks(
  trx: Db,
  skillId: string,
  sums: Votes,
  networks: readonly (string | undefined)[],
): Promise<Votes> {
  let settled = sums
  for (const network of new Set(networks)) {
    if (network === undefined) continue
    const sides = await sumSides(trx, skillId, network)
    for (const { helpful, alone, weight } of sides) {
      const other = sides.find((side) => side.helpful !== helpful)?.alone ?? 0
      const part = partOfSide(alone, other)
      if (part === 1 && weight === alone) continue
      for (const before of await weighSide(trx, { skillId, network, helpful }, part)) {
        settled = replaceVote(settled, before, { ...before, weight: before.alone * part })
      }
    }
  }
  return settled
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
