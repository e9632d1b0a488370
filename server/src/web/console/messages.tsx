import type { ManagedApp } from '../../apps/apps.ts'
import { listMessages } from '../../platform/chat.ts'
import { type PageRoutes, show } from '../account/page.ts'
import { Minute } from '../ui/format.tsx'
import { Section } from '../ui/parts.tsx'
import { AppPage, managed } from './layout.tsx'

export const messagesPages: PageRoutes = {
  '/console/apps/:id/messages': {
    get: managed(async ({ ctx, app }) => show(messagesPage(app, await listMessages(ctx, app.id)))),
  },
}

const messagesPage = (app: ManagedApp, messages: Awaited<ReturnType<typeof listMessages>>) => (
  <AppPage app={app} tab="Messages">
    <Section id="messages" title="Latest messages">
      {messages.length === 0 ? (
        <p class="muted">No messages yet</p>
      ) : (
        <ul class="rows">
          {messages.map(({ toJid, content, sentAt }) => (
            <li>
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
