import { docsScript, docsStylesheet } from '../ui/assets.ts'
import { SiteFooter, SiteHeader } from '../ui/frame.tsx'

interface DocsPageProps {
  operations: number
  /** The app that the page authorizes as, where there is one. */
  clientId: string | undefined
}

/** The page of Swagger UI, which has a stylesheet of its own beside that of header and footer. */
export function DocsPage({ operations, clientId }: DocsPageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API · Skillpass</title>
        <meta name="description" content="Every endpoint of Skillpass, to read and to try out." />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
        <link rel="stylesheet" href={docsStylesheet.url} />
        <link rel="icon" type="image/svg+xml" href="/favicon.ico" />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <SiteHeader />
        <main id="main" class="frame" tabIndex={-1}>
          <header class="docs-head">
            <h1>API</h1>
            <p>
              {operations} operations. Before the first call, read the{' '}
              <a href="/docs/guide">guide</a>; look up an <a href="/docs/errors">error</a> or a{' '}
              <a href="/docs/scopes">scope</a>; generate a client from{' '}
              <a href="/openapi.json">openapi.json</a>.
            </p>
          </header>
          <div id="swagger-ui" data-client-id={clientId}>
            <noscript>
              <p>Trying the operations out takes JavaScript.</p>
            </noscript>
          </div>
        </main>
        <SiteFooter />
        <script src="/docs/swagger-ui-bundle.js" defer />
        <script src={docsScript.path} defer />
      </body>
    </html>
  )
}
