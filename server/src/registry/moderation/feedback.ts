import type { Operating } from '../../audit/operator.ts'
import { fail } from '../../errors/failure.ts'
import { findBlock } from '../store/agents.ts'
import { deleteFeedback, setFeedbackCounts } from '../store/feedback.ts'
import { nextRevision } from '../store/revision.ts'
import { deleteVote } from '../store/votes.ts'
import { replaceVote, settleNetworks } from '../votes/cast.ts'
import { findNamedAgent, findNamedSkill, recordByOperator } from './act.ts'
import { addressOf, notify } from './notices.ts'

/** What was removed: how many entries of whom on which skill. */
export interface RemovedFeedback {
  readonly skillId: string
  readonly address: string
  readonly agent: string
  readonly entries: number
}

/** Removes all that an agent has said of a skill, its vote included. Throws NOT_FOUND. */
export async function removeFeedback(
  ctx: Operating,
  name: string,
  username: string,
  reason: string,
): Promise<RemovedFeedback> {
  return ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await findNamedSkill(trx, name)
    const agent = await findNamedAgent(trx, username)
    const key = { skillId: skill.id, agentId: agent.id }
    const entries = await deleteFeedback(trx, key)
    const vote = await deleteVote(trx, key)
    if (entries.length === 0 && !vote) {
      fail('NOT_FOUND', `${agent.username} has said nothing of ${addressOf(skill)}.`)
    }
    // What a blocked agent has said counts no more already.
    const isCounted = (await findBlock(trx, agent.id)) === undefined
    const [said, helpful] = isCounted ? [entries.length, entries.filter(Boolean).length] : [0, 0]
    const sums = replaceVote(skill, isCounted ? vote : undefined, undefined)
    const counts = {
      feedbackCount: Math.max(0, skill.feedbackCount - said),
      helpfulCount: Math.max(0, skill.helpfulCount - helpful),
      ...(await settleNetworks(trx, skill.id, sums, [vote?.network])),
    }
    await setFeedbackCounts(trx, skill.id, counts, revision)
    await notify(ctx, trx, agent.id, { action: 'feedback.removed', skill, reason })
    const note = `${addressOf(skill)}: ${reason}`
    await recordByOperator(ctx, trx, 'feedback.removed', { kind: 'agent', id: agent.id }, note)
    const { length } = entries
    return { skillId: skill.id, address: addressOf(skill), agent: agent.username, entries: length }
  })
}
