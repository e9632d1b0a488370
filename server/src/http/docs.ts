import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Router } from 'express'
import swaggerUi from 'swagger-ui-express'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import type { Service } from './service.ts'

/** The committed document, which the contract generates. */
const documentPath = createRequire(import.meta.url).resolve('@skillpass/openapi/openapi.json')

type Document = { paths: Record<string, object> }

/** The document with the addresses of this installation: each service may have its own. */
function addressed(document: Document, { baseUrl }: Config, services: readonly Service[]) {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const service = services.find(({ owns }) => owns(path))
    const isElsewhere = service !== undefined && service.name !== 'registry'
    return [path, isElsewhere ? { servers: [{ url: service.url }], ...item } : item]
  })
  return { ...document, servers: [{ url: baseUrl }], paths: Object.fromEntries(paths) }
}

/** Tables of the description get room between their columns, and scroll by themselves where it is narrow. */
const style = `
.swagger-ui .info code { overflow-wrap: anywhere; }
.swagger-ui .info .description table { display: block; overflow-x: auto; }
.swagger-ui .info .description table tr :is(th, td) { padding: 0.25rem 1.25rem 0.25rem 0; min-width: 0; vertical-align: top; }
.swagger-ui .info .description table tr :is(th, td):last-child { min-width: 16rem; }
.swagger-ui .info .description table code { padding-inline: 0; white-space: nowrap; overflow-wrap: normal; }
`

/** `/openapi.json` for tools and `/docs` for people. */
export function docsRoutes(
  { config }: Pick<Context, 'config'>,
  services: readonly Service[],
): Router {
  const committed: Document = JSON.parse(readFileSync(documentPath, 'utf8'))
  const document = addressed(committed, config, services)
  // Swagger UI styles its elements inline; scripts come from files alone.
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${config.baseUrl} ${config.authUrl} ${config.apiUrl}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const router = Router()
  router.get('/openapi.json', (_req, res) => {
    res.json(document)
  })
  router.use('/docs', (_req, res, next) => {
    res.setHeader('Content-Security-Policy', policy)
    next()
  })
  router.use('/docs', swaggerUi.serve)
  // The page itself has one address; what is no file of it either is not found.
  router.get(
    '/docs',
    swaggerUi.setup(document, { customSiteTitle: 'Skillpass API', customCss: style }),
  )
  return router
}
