import { docsScript, docsStylesheet } from '../ui/assets.ts'
import { Page } from '../ui/layout.tsx'

interface DocsPageProps {
  operations: number
  clientId: string | undefined
}

export function DocsPage({ operations, clientId }: DocsPageProps) {
  return (
    <Page
      title="API"
      description="Every endpoint of Skillpass, to read and to try out."
      stylesheets={['/docs/swagger-ui.css', docsStylesheet.url]}
      scripts={['/docs/swagger-ui-bundle.js', docsScript.path]}
    >
      <header class="docs-head">
        <h1>API</h1>
        <p>
          {operations} operations. Before the first call, read the <a href="/docs/guide">guide</a>.
          Look up an <a href="/docs/errors">error</a> or a <a href="/docs/scopes">scope</a>. Connect
          an <a href="/docs/mcp">MCP host</a>. Generate a client from{' '}
          <a href="/openapi.json">openapi.json</a>.
        </p>
      </header>
      <div id="swagger-ui" data-client-id={clientId}>
        <noscript>
          <p>Turn on JavaScript to see and try out the operations.</p>
        </noscript>
      </div>
    </Page>
  )
}
