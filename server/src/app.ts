import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { oauthContract, platformContract, registryContract } from '@skillpass/contract'
import { createExpressEndpoints } from '@ts-rest/express'
import express, { type Express, type RequestHandler, Router } from 'express'
import helmet from 'helmet'
import type { Service } from './config/config.ts'
import type { AppContext } from './context.ts'
import { Failure } from './errors/failure.ts'
import { allowAnyOrigin, allowRegisteredOrigins } from './http/cors.ts'
import { docsRoutes } from './http/docs.ts'
import { endpointOptions, refuseOtherMethods } from './http/endpoints.ts'
import { answerErrors, requireHost } from './http/errors.ts'
import { operatorRoutes } from './http/operators.ts'
import { logRequests } from './http/request-log.ts'
import { sendKeptJson } from './http/send-json.ts'
import { serviceOf } from './http/service-of.ts'
import { marketplaceRoutes } from './marketplace/routes/index.ts'
import { oauthRoutes } from './oauth/routes/index.ts'
import { platformRoutes } from './platform/routes/index.ts'
import { addressContract, apiContract, apiRoutes } from './registry/routes/index.ts'
import { rawSkillRoutes } from './registry/routes/raw-skill.ts'
import { authorizeRoute } from './web/account/authorize.ts'
import { accountPages } from './web/account-pages.ts'
import { assetRoutes } from './web/asset-routes.ts'
import { errorPages } from './web/error-pages.ts'
import { webRouter } from './web/routes.ts'

/** The pipeline: everything a request goes through, in order. */
export function createApp(ctx: AppContext, isDraining: () => boolean = () => false): Express {
  const app = express()
  app.disable('x-powered-by')
  // Only markdown has a validator of its own, the digest; hashing every JSON answer would not pay.
  app.disable('etag')
  app.set('trust proxy', ctx.config.trustProxy)
  sendKeptJson(app)

  app.use(logRequests(ctx))
  app.use(secureHeaders(ctx))
  app.use(requireHost)
  const { services } = ctx.config
  if (services.has('oauth')) app.use(forService('oauth', oauthRouter(ctx)))
  if (services.has('platform')) app.use(forService('platform', platformRouter(ctx)))
  if (services.has('registry')) app.use(refuseOtherMethods(registryContract))
  if (services.has('registry')) app.use(belowApi(apiRouter(ctx)))
  app.use(operatorRoutes(ctx, isDraining), docsRoutes(ctx), assetRoutes())
  if (services.has('oauth')) app.use(accountPages(ctx))
  if (services.has('registry')) app.use(webRouter(ctx), addressRouter(ctx))
  app.use(nothingHere)
  app.use(answerErrors(ctx, errorPages))
  return app
}

function apiRouter(ctx: AppContext): Router {
  const router = Router()
  router.use(allowAnyOrigin)
  createExpressEndpoints(apiContract, apiRoutes(ctx), router, endpointOptions(ctx))
  router.use(nothingHere)
  return router
}

/** The address of a skill, which fits nearly any path. */
function addressRouter(ctx: AppContext): Router {
  const router = Router()
  router.use('/:owner/:repo/:skill', allowAnyOrigin)
  const routes = { rawSkill: rawSkillRoutes(ctx) }
  createExpressEndpoints(addressContract, routes, router, endpointOptions(ctx))
  return router
}

function oauthRouter(ctx: AppContext): Router {
  const router = Router()
  const cors = allowRegisteredOrigins(ctx)
  router.use(cors, neverStored, refuseOtherMethods(oauthContract, cors))
  const routes = { ...oauthRoutes(ctx), authorize: authorizeRoute(ctx) }
  createExpressEndpoints(oauthContract, routes, router, endpointOptions(ctx))
  return router
}

function platformRouter(ctx: AppContext): Router {
  const router = Router()
  router.use(allowAnyOrigin, neverStored, refuseOtherMethods(platformContract))
  const routes = { ...platformRoutes(ctx), ...marketplaceRoutes(ctx) }
  createExpressEndpoints(platformContract, routes, router, endpointOptions(ctx))
  router.use(nothingHere)
  return router
}

/** Answers with tokens and of people belong in no cache (RFC 6749 §5.1). */
const neverStored: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Pragma', 'no-cache')
  next()
}

/** Hands a service's addresses, whole, to its router; others need not try its routes. */
const forService =
  (service: Service, router: RequestHandler): RequestHandler =>
  (req, res, next) =>
    serviceOf(req.path) === service ? router(req, res, next) : next()

/** The same for the registry's API, whose other addresses are pages and skills. */
const belowApi =
  (router: RequestHandler): RequestHandler =>
  (req, res, next) =>
    /^\/api(\/|$)/i.test(req.path) ? router(req, res, next) : next()

const nothingHere: RequestHandler = (_req, _res, next) => next(new Failure('NOT_FOUND'))

/** Helmet's headers, with a policy for answers that are data; pages set their own. */
function secureHeaders({ config }: AppContext): RequestHandler {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    frameguard: { action: 'deny' },
    // These spoke to plugins and to browsers that are gone.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    // Over plain http the header would be ignored or lock a host out that cannot do https.
    strictTransportSecurity: [config.baseUrl, config.authUrl].every((url) =>
      url.startsWith('https:'),
    ),
  })
  // They are the same for every answer: made once, on one that nobody gets.
  const sample = new ServerResponse(new IncomingMessage(new Socket()))
  setHeaders(sample.req, sample, () => {})
  const headers = new Map(
    Object.entries(sample.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
  return (_req, res, next) => {
    res.setHeaders(headers)
    next()
  }
}
