import { Router } from 'express'
import type { OAuthContext } from '../../oauth/context.ts'
import { listMessages } from '../../platform/chat.ts'
import { sendPage, viewerOf } from '../account/page.ts'
import { renderAppMessagesPage } from '../pages/console/messages.tsx'
import { appPage } from './app.ts'

/** The last messages of a chatbot. */
export function consoleMessagesRoutes(ctx: OAuthContext): Router {
  const router = Router()
  router.get(
    '/console/apps/:id/messages',
    appPage(ctx, async ({ res, app, visit }) => {
      const messages = await listMessages(ctx, app.id)
      sendPage(res, renderAppMessagesPage({ app, messages, viewer: viewerOf(visit) }))
    }),
  )
  return router
}
