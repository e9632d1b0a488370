import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { AgentRecord } from '../store/agents/agents.ts'
import { listOwnerIds } from '../store/agents/members.ts'
import * as store from '../store/registry/notices.ts'
import { addressOf, type SkillRecord } from '../store/registry/skill-record.ts'

const maxNotices = 100

export const listNotices = (ctx: OperatorContext, agent: Pick<AgentRecord, 'id'>) =>
  store.findNotices(ctx.db.read, agent.id, maxNotices)

/** Notifies an agent, or the owners of an organization. */
export async function notify(
  ctx: OperatorContext,
  trx: Db,
  agentId: string,
  notice: { action: store.NoticeAction; skill?: SkillRecord; reason: string },
): Promise<void> {
  const owners = await listOwnerIds(trx, agentId)
  for (const id of owners.length > 0 ? owners : [agentId]) {
    await store.insertNotice(trx, id, {
      id: ctx.random.uuid(),
      action: notice.action,
      skillId: notice.skill?.id ?? null,
      address: notice.skill ? addressOf(notice.skill) : null,
      reason: notice.reason,
      createdAt: ctx.clock.now(),
    })
  }
}
