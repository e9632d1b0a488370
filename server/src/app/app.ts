import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { oauthContract, registryContract } from '@skillpass/contract'
import express, { type Express, type RequestHandler, type Router } from 'express'
import helmet from 'helmet'
import { identifyReader } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { compressResponses } from '../http/compress.ts'
import { registryDialect } from '../http/dialects.ts'
import { createErrorFormat, requireHost, sendErrors } from '../http/errors.ts'
import { healthRoutes, refuseWhile } from '../http/health.ts'
import type { LoadShedder } from '../http/load-shedder.ts'
import { observeRequests } from '../http/observe.ts'
import { refuseExcess } from '../http/refusals.ts'
import { logRequests } from '../http/request-log.ts'
import { notFound, type Service } from '../http/service.ts'
import { platformMcp, serveAlias } from '../mcp/platform.ts'
import { registryMcp } from '../mcp/registry.ts'
import { oauthService } from '../oauth/routes/index.ts'
import { resourceMetadataService } from '../oauth/routes/resource-metadata.ts'
import { authorizeRoute } from '../web/account/authorize.ts'
import { siteFinder } from '../web/account/session.ts'
import { accountPages } from '../web/account-pages.ts'
import { agentPages, identifyVisitor } from '../web/agent/pages.ts'
import { docsRoutes } from '../web/docs/index.tsx'
import { errorPages } from '../web/error-pages.tsx'
import { markdownFirst, registryPages } from '../web/registry/pages.ts'
import { assetRoutes } from '../web/ui/assets.ts'
import { demoReceiver } from './demo-receiver.ts'
import { resourceApi } from './platform.ts'
import {
  refuseSkillMethods,
  registryCaller,
  registryService,
  scopeAddresses,
  skillAddress,
  skillMarkdown,
} from './registry.ts'

/** Assembles the middleware, in the order in which it handles a request. */
export function createApp(ctx: RegistryContext, shedder: LoadShedder, added?: Service): Express {
  const app = express()
  app.disable('x-powered-by')
  // Markdown has its digest as ETag. Hashing every JSON response is not worth the time.
  app.disable('etag')
  app.set('trust proxy', ctx.config.trustProxy)

  const { services: served } = ctx.config
  const siteOf = siteFinder(ctx)
  const pages = errorPages(siteOf)
  const mcp = registryMcp(ctx)
  const registry = registryService(ctx, mcp)
  const oauth = oauthService(ctx, {
    authorize: authorizeRoute(ctx),
    isPage: pages.isPage,
  })
  const api = resourceApi(ctx, platformMcp(ctx))
  const services = [oauth, api, resourceMetadataService(ctx), ...(added ? [added] : []), registry]
  // Refusals under load have the same CORS headers as other responses of the path.
  const isOpen = (path: string) => path === oauthContract.metadata.path || !oauth.owns(path)
  const needsStart = (path: string) => path !== healthAddress
  const needsCatalogue = (path: string) => registry.owns(path) && needsStart(path)
  const errorFormat = createErrorFormat({ services, fallback: registryDialect, pages })
  const headers = securityHeaders(ctx)
  app.use(refuseExcess(shedder, errorFormat, { headers, isOpen }))
  app.use((_req, res, next) => {
    res.setHeaders(headers)
    next()
  })
  // The load shedder counts bodies before they are compressed.
  app.use(compressResponses, shedder.admit)
  app.use(logRequests(ctx), requireHost)
  if (ctx.observe) app.use(observeRequests(ctx, ctx.observe))
  if (served.has('platform')) app.use(serveAlias)
  app.use(healthRoutes(ctx))
  app.use(refuseWhile(ctx, 'migrations', needsStart), refuseWhile(ctx, 'schema', needsStart))
  app.use(refuseWhile(ctx, 'catalogue', needsCatalogue))
  if (ctx.intercept) app.use(ctx.intercept)
  if (served.has('registry')) {
    const isElsewhere = (path: string) =>
      services.some(({ name, owns }) => name !== 'registry' && owns(path))
    app.use(identifyReader(ctx, isElsewhere), markdownFirst(ctx, skillMarkdown(ctx)))
  }
  for (const service of services) if (served.has(service.name)) app.use(service.serve(ctx))
  app.use(
    whenDocsAreRead(() => docsRoutes(ctx, services, siteOf)),
    assetRoutes(),
  )
  if (served.has('oauth')) app.use(accountPages(ctx), demoReceiver(ctx))
  if (served.has('registry')) {
    app.use(refuseWhile(ctx, 'catalogue'))
    app.use(
      scopeAddresses(ctx, mcp),
      refuseSkillMethods,
      identifyVisitor(ctx),
      agentPages(ctx, registryCaller(ctx)),
      registryPages(ctx, siteOf),
      skillAddress(ctx),
    )
  }
  app.use(notFound)
  app.use(sendErrors(ctx, errorFormat))
  return app
}

/** Builds the documentation at its first request, because that takes a third of a start. */
function whenDocsAreRead(build: () => Router): RequestHandler {
  let docs: Router | undefined
  return (req, res, next) => {
    if (!/^\/(docs|openapi\.json)\b/i.test(req.path)) return next()
    docs ??= build()
    return docs(req, res, next)
  }
}

/** The registry's health endpoint, which responds even during the start. */
const healthAddress = registryContract.health.check.path

/**
 * Returns Helmet's headers, with a content security policy for data. Pages set their own policy.
 */
function securityHeaders({ config }: RegistryContext): Map<string, string> {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    frameguard: { action: 'deny' },
    // These headers only concern plugins and obsolete browsers.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // Over plain HTTP, browsers ignore the header, or it locks out a host that has no HTTPS.
    strictTransportSecurity: [config.baseUrl, config.authUrl].every((url) =>
      url.startsWith('https:'),
    ),
  })
  // The headers never change, so generate them once on a dummy response.
  const sample = new ServerResponse(new IncomingMessage(new Socket()))
  setHeaders(sample.req, sample, () => {})
  return new Map(Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)]))
}
