import type { ManagedApp } from '../../../marketplace/managed-apps.ts'
import type { ShownMessage } from '../../../platform/chat.ts'
import { AppPage } from '../../console/layout.tsx'
import type { Viewer } from '../../ui/account.tsx'
import { Minute } from '../../ui/format.tsx'
import { renderPage } from '../../ui/layout.tsx'

export interface AppMessagesPageData {
  app: ManagedApp
  messages: readonly ShownMessage[]
  viewer: Viewer
}

/** The last messages of a chatbot. */
export function renderAppMessagesPage({ app, messages, viewer }: AppMessagesPageData): string {
  return renderPage(
    <AppPage app={app} tab="messages" title="Messages" viewer={viewer}>
      <section aria-labelledby="messages">
        <h2 id="messages">Last messages</h2>
        {messages.length === 0 ? (
          <p class="muted">This chatbot has sent no message yet.</p>
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
      </section>
    </AppPage>,
  )
}
