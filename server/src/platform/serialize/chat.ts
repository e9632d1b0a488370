import type { ChatMessage } from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../../runtime/time.ts'
import type { ChatMessageRecord } from '../store/chat.ts'

export const serializeChatMessage = ({
  id,
  robotJid,
  toJid,
  sentAt,
}: ChatMessageRecord): z.output<typeof ChatMessage> => ({
  message_id: id,
  robot_jid: robotJid,
  sent_time: isoTime(sentAt),
  to_jid: toJid,
})
