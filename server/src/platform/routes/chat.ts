import { platformContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { created } from '../../http/answers.ts'
import { accessTokenOf } from '../../http/caller.ts'
import { sendMessage } from '../chat.ts'

/** `/v2/im/chat`: messages of chatbots. */
export const chatRoutes = (ctx: Context) =>
  initServer().router(platformContract.chat, {
    send: async ({ body, res }) => {
      const { id, robotJid, toJid, sentAt } = await sendMessage(ctx, accessTokenOf(res), body)
      return created({
        message_id: id,
        robot_jid: robotJid,
        sent_time: new Date(sentAt).toISOString(),
        to_jid: toJid,
      })
    },
  })
