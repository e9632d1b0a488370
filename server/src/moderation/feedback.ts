import type { OperatorContext } from '../audit/record.ts'
import { fail } from '../errors/failure.ts'
import { nextRevision } from '../skills/store/revision.ts'
import { recountSkill } from '../trust/store/counts.ts'
import { deleteFeedback } from '../trust/store/feedback.ts'
import { deleteVote } from '../trust/store/votes.ts'
import { findNamedAgent, findNamedSkill, recordByOperator } from './actions.ts'
import { addressOf, notify } from './notices.ts'

/** Removes an agent's feedback and vote. Returns the number of entries. Throws NOT_FOUND. */
export const removeFeedback = async (
  ctx: OperatorContext,
  name: string,
  username: string,
  reason: string,
) =>
  ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await findNamedSkill(trx, name)
    const agent = await findNamedAgent(trx, username)
    const key = { skillId: skill.id, agentId: agent.id }
    const entries = await deleteFeedback(trx, key)
    const vote = await deleteVote(trx, key)
    if (entries === 0 && !vote) {
      fail('NOT_FOUND', `${agent.username} has given no feedback on ${addressOf(skill)}.`)
    }
    const counted = { skillId: skill.id, repositoryId: skill.repository.id, revision }
    await recountSkill(trx, counted)
    await notify(ctx, trx, agent.id, { action: 'feedback.removed', skill, reason })
    const note = `${addressOf(skill)}: ${reason}`
    await recordByOperator(ctx, trx, 'feedback.removed', { kind: 'agent', id: agent.id }, note)
    return { skillId: skill.id, address: addressOf(skill), agent: agent.username, entries }
  })
