import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { demo } from '@skillpass/contract'
import { Router } from 'express'
import swaggerUi from 'swagger-ui-express'
import { allowAnyOrigin } from '../../http/cors.ts'
import type { Service } from '../../http/service.ts'
import type { Config } from '../../runtime/config/config.ts'
import type { Context } from '../../runtime/context.ts'
import {
  addText,
  copyScript,
  docsPolicy,
  docsScript,
  docsStyle,
  readDocsText,
  scriptedPagePolicy,
  stylesheet,
} from '../ui/assets.ts'
import { negotiate, Page, pathsOf } from '../ui/layout.tsx'
import { blocks, DocsNav, linkMarkdown, markdown, reference } from '../ui/markdown.tsx'
import type { SiteOf } from '../ui/site.ts'
import { type Document, Operations, operationsOf } from './operations.tsx'
import { errorsText, scopesText } from './texts.ts'

/** Reads a file of the Swagger UI version that swagger-ui-express depends on. */
const swaggerFile = (name: string) => {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('swagger-ui-express'))
  return readFileSync(resolve(`swagger-ui-dist/${name}`), 'utf8')
}

const revalidated = 'no-cache'

/** Fields of the OAuth flows. */
const oauthUrls = ['authorizationUrl', 'tokenUrl', 'refreshUrl']

/** The registry's address in the committed document. */
const committedUrl = /^http:\/\/localhost:3000(?=\/|$)/

/**
 * Reads the OpenAPI document, with the controls if they are served, and inserts the base URLs of
 * this installation's services.
 */
function readDocument({ authUrl, baseUrl }: Config, services: readonly Service[]): Document {
  const read = (name: 'openapi' | 'double'): Document => {
    const file = createRequire(import.meta.url).resolve(`@skillpass/openapi/${name}.json`)
    return JSON.parse(readFileSync(file, 'utf8'), (key, value) => {
      if (oauthUrls.includes(key)) return authUrl + new URL(value).pathname
      return typeof value === 'string' ? value.replace(committedUrl, () => baseUrl) : value
    })
  }
  const main = read('openapi')
  const all = services.some(({ owns }) => owns('/double')) ? [main, read('double')] : [main]
  const paths = all
    .flatMap((document) => Object.entries(document.paths))
    .map(([path, item]) => {
      const service = services.find(({ owns }) => owns(path))
      const isElsewhere = service !== undefined && service.name !== 'registry'
      return [path, isElsewhere ? { servers: [{ url: service.url }], ...item } : item]
    })
  const schemas = all.flatMap(({ components }) => Object.entries(components.schemas))
  return {
    ...main,
    tags: all.flatMap(({ tags }) => tags),
    paths: Object.fromEntries(paths),
    components: { ...main.components, schemas: Object.fromEntries(schemas) },
  }
}

/** `/openapi.json` for tools; `/docs` and the pages below it for people. */
export function docsRoutes(
  { config }: Context,
  services: readonly Service[],
  siteOf: SiteOf,
): Router {
  const document = readDocument(config, services)
  const firstSteps = readDocsText('first-steps.md', config)
  // Only a development server has the demo app.
  const clientId = config.environment === 'development' ? demo.apps.docs.clientId : undefined

  const router = Router()
  // Browser-based tools on other origins read the document.
  router.use('/openapi.json', allowAnyOrigin)
  const json = 'application/json; charset=utf-8'
  addText(router, '/openapi.json', JSON.stringify(document), json, revalidated)
  const { description } = document.info
  const rules = description.replace(/^.*?(?=^# )/ms, '').replace(/^# /gm, '## ')
  const guide = blocks(readDocsText('guide.md', config).trim(), rules)
  const references = {
    '/docs/errors': [
      errorsText(),
      'Every error that Skillpass returns: what it means and how to fix it.',
      'Filter the errors',
    ],
    '/docs/scopes': [
      scopesText(),
      'What each scope lets an app do, and which endpoints it opens.',
      'Filter the scopes',
    ],
    '/docs/mcp': [
      readDocsText('mcp.md', config),
      'How to connect an MCP host, such as Claude Code or Cursor.',
    ],
    '/docs/testing': [
      readDocsText('../../docs/testing.md', config),
      'How to test a meeting integration: a clock to move, faults to order, a log to read.',
    ],
    '/docs/guide': [
      guide,
      'Four ways to a token, and the rules of the API: errors, webhooks, rate limits.',
    ],
  } as const
  for (const [path, [text, description, filter]] of Object.entries(references)) {
    const read = negotiate(siteOf, (_req, res) => {
      res.setHeader('Content-Security-Policy', scriptedPagePolicy)
      return reference({ description, filter, path, text })
    })
    router.get(pathsOf(path), read)
  }
  router.use('/docs', (_req, res, next) => {
    res.setHeader('Content-Security-Policy', docsPolicy(config))
    // The authorization popup passes the code back through `window.opener`.
    res.setHeader('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
    next()
  })
  const docs = negotiate(siteOf, () => ({
    page: () => docsPage(document, firstSteps, clientId),
    markdown: () => linkMarkdown(blocks('# API', firstSteps.trim(), '[Guide](/docs/guide)')),
  }))
  router.get(pathsOf('/docs'), docs)
  addText(router, docsStyle.path, docsStyle.text, 'css')
  addText(router, docsScript.path, docsScript.text, 'js', revalidated)
  addText(router, '/docs/swagger-ui.css', swaggerFile('swagger-ui.css'), 'css')
  addText(router, '/docs/swagger-ui-bundle.js', swaggerFile('swagger-ui-bundle.js'), 'js')
  router.get('/docs/oauth2-redirect.html', (_req, res, next) => {
    res.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none')
    next()
  })
  // The page that the authorization redirects to, and its script.
  router.use('/docs', swaggerUi.serve)
  return router
}

const docsPage = (document: Document, firstSteps: string, clientId: string | undefined) => (
  <Page
    title="API"
    description="First calls to paste, and every endpoint of Skillpass to read and to try out."
    markdownUrl="/docs.md"
    stylesheets={[stylesheet.url, '/docs/swagger-ui.css', docsStyle.url]}
    scripts={[copyScript.url, '/docs/swagger-ui-bundle.js', docsScript.path]}
  >
    <DocsNav />
    <div class="reference">
      <h1>API</h1>
      <p>
        Paste any of these into a shell
        {clientId && ', after the export lines that npm start has printed'}.
      </p>
      <div class="cards first-steps">
        {firstSteps.split(/\n(?=## )/).map((step) => (
          <section class="card" dangerouslySetInnerHTML={{ __html: markdown.render(step) }} />
        ))}
      </div>
      <h2 id="operations">All {operationsOf(document).length} operations</h2>
      <p>
        The <a href="/docs/guide">guide</a> explains credentials, errors and limits. Generate a
        client from <a href="/openapi.json">openapi.json</a>.
      </p>
      <div id="swagger-ui" data-client-id={clientId}>
        <Operations document={document} />
      </div>
    </div>
  </Page>
)
