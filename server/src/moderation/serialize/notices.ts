import { isoTime } from '../../runtime/time.ts'
import type { NoticeRecord } from '../store/notices.ts'

/** What the operator did, for the agent it was done to. */
export const serializeNotice = ({ id, action, skillId, address, ...notice }: NoticeRecord) => ({
  id,
  action,
  skill: skillId === null || address === null ? null : { id: skillId, address },
  reason: notice.reason,
  createdAt: isoTime(notice.createdAt),
})
