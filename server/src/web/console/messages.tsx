import { listMessages } from '../../meetings/chat.ts'
import type { ManagedApp } from '../../oauth/apps/apps.ts'
import { show } from '../account/page.ts'
import { Rows } from '../ui/account.tsx'
import { Minute, Section } from '../ui/parts.tsx'
import { AppPage, appPath, managed } from './app.tsx'

export const messagesPages = {
  '/console/apps/:id/messages': {
    get: managed(async ({ ctx, app }) => show(messagesPage(app, await listMessages(ctx, app.id)))),
  },
}

const messagesPage = (app: ManagedApp, messages: Awaited<ReturnType<typeof listMessages>>) => (
  <AppPage app={app} tab="Messages">
    <Section id="messages" title="Latest messages">
      <p class="muted">
        What the bot has sent. The <a href={appPath(app.id)}>quick start</a> sends one.
      </p>
      <Rows none="No messages yet">
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
      </Rows>
    </Section>
  </AppPage>
)
