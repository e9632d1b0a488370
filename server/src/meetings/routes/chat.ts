import { platformContract } from '@skillpass/contract'
import { created, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { sendMessage } from '../chat.ts'
import { serializeChatMessage } from '../serialize.ts'

export const chatRoutes = (ctx: Context) =>
  router(platformContract.chat, {
    send: async ({ body, req, res }) =>
      created(serializeChatMessage(await sendMessage(forRequest(ctx, req), bearerOf(res), body))),
  })
