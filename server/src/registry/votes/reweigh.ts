import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/open.ts'
import { findBlock } from '../store/agents.ts'
import { nextRevision } from '../store/revision.ts'
import { findSkill, setVoteSums } from '../store/skills.ts'
import { findVote, listVotesWeighedBefore, upsertVote } from '../store/votes.ts'
import { replaceVote, settleNetworks } from './cast.ts'
import { findVoter, weighVote } from './weigh.ts'

const day = 86_400_000

/** Votes are weighed again this long after the last time, as their agents grow older. */
const interval = 7 * day
/** Votes of this age weigh a quarter at most, and stay as they are. */
export const lastWeighing = 360 * day
const never = Number.MAX_SAFE_INTEGER

/** Votes of one transaction, so that other writes get their turn, and of one call. */
const batch = 20
const mostAtOnce = 2000

/**
 * Weighs votes again whose agents have grown older since: a newcomer's word counts once it is none any
 * more. A vote loses by it only to its network's on the other side. At most 2,000 in a call; gives how many.
 */
export async function reweighVotes({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  for (let done = 0; done < mostAtOnce; ) {
    const before = clock.now() - interval
    const due = await listVotesWeighedBefore(db.read, before, 1)
    if (due.length === 0) return done
    done += await db.write((trx) => reweighSome(trx, before, clock.now()))
  }
  return mostAtOnce
}

async function reweighSome(trx: Db, before: number, now: number): Promise<number> {
  const revision = await nextRevision(trx)
  const votes = await listVotesWeighedBefore(trx, before, batch)
  for (const vote of votes) await reweigh(trx, vote, { now, revision })
  return votes.length
}

async function reweigh(
  trx: Db,
  { skillId, agentId }: { skillId: string; agentId: string },
  { now, revision }: { now: number; revision: number },
) {
  const key = { skillId, agentId }
  // As it is now: another one of the batch may have changed it.
  const vote = await findVote(trx, key)
  if (!vote) return
  const skill = await findSkill(trx, skillId)
  if (!skill || now - vote.votedAt > lastWeighing) {
    await upsertVote(trx, key, { ...vote, weighedAt: never })
    return
  }
  // It counts for nothing now, and is weighed when it may count again.
  if ((await findBlock(trx, agentId)) !== undefined) {
    await upsertVote(trx, key, { ...vote, weighedAt: now })
    return
  }
  const { votedAt, castNetwork, hasRead: hadRead } = vote
  const ballot = { skill, agentId, votedAt, castNetwork, hadRead }
  const voter = await findVoter(trx, ballot, now)
  const weighed = await weighVote(trx, ballot, voter, vote.helpful)
  const alone = Math.max(vote.alone, weighed)
  const { network } = voter
  const { hasRead } = voter.standing
  const weighedAt = alone >= 1 ? never : now
  if (alone === vote.alone) {
    await upsertVote(trx, key, { ...vote, network, hasRead, weighedAt })
    return
  }
  const again = { ...vote, network, hasRead, weight: alone, alone, weighedAt }
  await upsertVote(trx, key, again)
  const sums = replaceVote(skill, vote, again)
  await setVoteSums(trx, skillId, await settleNetworks(trx, skillId, sums, [network]), revision)
}
