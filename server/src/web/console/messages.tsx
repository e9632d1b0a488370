import { listMessages, type ShownMessage } from '../../platform/chat.ts'
import { type PageRoute, show } from '../account/page.ts'
import { Minute } from '../ui/format.tsx'
import { Section } from '../ui/parts.tsx'
import { type AppExchange, appPage } from './app.ts'
import { AppPage } from './layout.tsx'

/** The last messages of a chatbot. */
export const messagesPages: PageRoute[] = [
  {
    path: '/console/apps/:id/messages',
    get: appPage(async (exchange) => {
      const messages = await listMessages(exchange.ctx, exchange.app.id)
      return show(messagesPage(exchange, messages))
    }),
  },
]

function messagesPage(exchange: AppExchange, messages: readonly ShownMessage[]) {
  return (
    <AppPage exchange={exchange} tab="messages" title="Messages">
      <Section id="messages" title="Latest messages">
        {messages.length === 0 ? (
          <p class="muted">No messages yet</p>
        ) : (
          <ul class="rows">
            {messages.map(({ id, toJid, content, sentAt }) => (
              <li key={id}>
                <h3>
                  To <span class="mono">{toJid}</span>
                </h3>
                <p class="muted">
                  <Minute at={sentAt} />
                </p>
                <pre class="command" dir="auto">
                  {content}
                </pre>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </AppPage>
  )
}
