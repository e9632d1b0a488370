import { listMessages } from '../../platform/chat.ts'
import { viewerOf } from '../account/handlers.ts'
import { type AccountPage, show } from '../account/page.ts'
import { renderAppMessagesPage } from '../pages/console/messages.tsx'
import { appPage } from './app.ts'

/** The last messages of a chatbot. */
export const messagesPages: AccountPage[] = [
  {
    path: '/console/apps/:id/messages',
    get: appPage(async ({ ctx, app, visit }) => {
      const messages = await listMessages(ctx, app.id)
      return show(renderAppMessagesPage({ app, messages, viewer: viewerOf(visit) }))
    }),
  },
]
