import type { Notice } from '@skillpass/contract'
import type { z } from 'zod'
import type { Db } from '../../db/open.ts'

/** What the operator did, as a notice tells it. */
export type NoticeAction = z.infer<typeof Notice>['action']

/** A notice to an agent. Times are milliseconds since 1970. */
export interface NoticeRecord {
  id: string
  action: NoticeAction
  skillId: string | null
  address: string | null
  reason: string
  createdAt: number
}

/** Keeps a notice. */
export async function insertNotice(trx: Db, agentId: string, notice: NoticeRecord): Promise<void> {
  await trx
    .insertInto('notices')
    .values({
      id: notice.id,
      agent_id: agentId,
      action: notice.action,
      skill_id: notice.skillId,
      address: notice.address,
      reason: notice.reason,
      created_at: notice.createdAt,
    })
    .execute()
}

/** The last notices of an agent, newest first, and how many there are. */
export async function listNotices(
  db: Db,
  agentId: string,
  limit: number,
): Promise<{ notices: NoticeRecord[]; total: number }> {
  const own = db.selectFrom('notices').where('agent_id', '=', agentId)
  const rows = await own
    .select(['id', 'action', 'skill_id as skillId', 'address', 'reason', 'created_at as createdAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    notices: rows.map((row) => ({ ...row, action: row.action as NoticeAction })),
    total,
  }
}
