import type { Notice } from '@skillpass/contract'
import type { z } from 'zod'
import { columnsOf, countRows, type Db, type Fields, toRow } from '../../db/query.ts'

export type NoticeAction = z.infer<typeof Notice>['action']

const fields = ['id', 'action', 'skillId', 'address', 'reason', 'createdAt'] as const

/** A notice to an agent. Times are milliseconds since 1970. */
type NoticeRecord = Pick<Fields<'notices'>, (typeof fields)[number]> & {
  action: NoticeAction
}

export const insertNotice = (trx: Db, agentId: string, notice: NoticeRecord) =>
  trx
    .insertInto('notices')
    .values({ agent_id: agentId, ...toRow(notice, fields) })
    .execute()

/** Lists an agent's latest notices, newest first, and counts all. */
export async function findNotices(
  db: Db,
  agentId: string,
  limit: number,
): Promise<{ notices: NoticeRecord[]; total: number }> {
  const ofAgent = db.selectFrom('notices').where('agent_id', '=', agentId)
  const rows = await ofAgent
    .select(columnsOf('notices', fields))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const notices = rows.map((row) => ({ ...row, action: row.action as NoticeAction }))
  return { notices, total: await countRows(ofAgent) }
}
