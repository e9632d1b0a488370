import type { ChatMessage } from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../../runtime/time.ts'
import type { ChatMessageRecord } from '../store/chat.ts'

export const serializeChatMessage = (message: ChatMessageRecord): z.output<typeof ChatMessage> => ({
  message_id: message.id,
  robot_jid: message.robotJid,
  sent_time: isoTime(message.sentAt),
  to_jid: message.toJid,
})
