import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Router } from 'express'
import swaggerUi from 'swagger-ui-express'
import type { Context } from '../context.ts'

/** The committed document, which the contract generates. */
const documentPath = createRequire(import.meta.url).resolve('@skillpass/openapi/openapi.json')

/** `/openapi.json` for tools and `/docs` for people. */
export function docsRoutes({ config }: Context): Router {
  const document = {
    ...(JSON.parse(readFileSync(documentPath, 'utf8')) as Record<string, unknown>),
    servers: [{ url: config.baseUrl }],
  }
  // Swagger UI styles its elements inline; scripts come from files alone.
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${config.baseUrl}`,
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
  router.get('/docs', swaggerUi.setup(document, { customSiteTitle: 'Skillpass API' }))
  return router
}
