import { type ChatMessage, platformContract } from '@skillpass/contract'
import type { z } from 'zod'
import { forRequest } from '../../audit/for-request.ts'
import { created, router } from '../../http/handlers.ts'
import { isoTime } from '../../runtime/time.ts'
import { sendMessage } from '../chat.ts'
import type { PlatformContext } from '../context.ts'
import type { ChatMessageRecord } from '../store/chat.ts'
import { bearerOf } from './bearer.ts'

export const chatRoutes = (ctx: PlatformContext) =>
  router(platformContract.chat, {
    send: async ({ body, req, res }) =>
      created(serializeChatMessage(await sendMessage(forRequest(ctx, req), bearerOf(res), body))),
  })

export const serializeChatMessage = (message: ChatMessageRecord): z.output<typeof ChatMessage> => ({
  message_id: message.id,
  robot_jid: message.robotJid,
  sent_time: isoTime(message.sentAt),
  to_jid: message.toJid,
})
