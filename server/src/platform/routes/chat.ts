import { platformContract } from '@skillpass/contract'
import { forRequest } from '../../audit/for-request.ts'
import { created, router } from '../../http/handlers.ts'
import { sendMessage } from '../chat.ts'
import type { PlatformContext } from '../context.ts'
import { serializeChatMessage } from '../serialize/chat.ts'
import { bearerOf } from './bearer.ts'

export const chatRoutes = (ctx: PlatformContext) =>
  router(platformContract.chat, {
    send: async ({ body, req, res }) =>
      created(serializeChatMessage(await sendMessage(forRequest(ctx, req), bearerOf(res), body))),
  })
