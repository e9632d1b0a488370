import { platformContract } from '@skillpass/contract'
import { forRequest } from '../../audit/for-request.ts'
import { created, router } from '../../http/handlers.ts'
import { isoTime } from '../../runtime/time.ts'
import { sendMessage } from '../chat.ts'
import type { PlatformContext } from '../context.ts'
import { bearerOf } from './bearer.ts'

export const chatRoutes = (ctx: PlatformContext) =>
  router(platformContract.chat, {
    send: async ({ body, req, res }) => {
      const { id, robotJid, toJid, sentAt } = await sendMessage(
        forRequest(ctx, req),
        bearerOf(res),
        body,
      )
      return created({
        message_id: id,
        robot_jid: robotJid,
        sent_time: isoTime(sentAt),
        to_jid: toJid,
      })
    },
  })
