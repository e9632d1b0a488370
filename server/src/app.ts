import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { oauthContract, registryContract } from '@skillpass/contract'
import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import { demoReceiver } from './apps/routes/demo-receiver.ts'
import { resourceApi } from './apps/routes/index.ts'
import type { AppContext } from './context.ts'
import { compressAnswers } from './http/compress.ts'
import { answerErrors, requireHost } from './http/errors.ts'
import type { LoadShedder } from './http/load-shedder.ts'
import { refuseWhile } from './http/not-ready.ts'
import { operatorRoutes } from './http/operators.ts'
import { logRequests } from './http/request-log.ts'
import { nothingHere } from './http/service.ts'
import { oauthService } from './oauth/routes/index.ts'
import { registryDialect } from './registry/dialect.ts'
import {
  refuseSkillMethods,
  registryService,
  scopeAddresses,
  skillAddress,
} from './registry/service.ts'
import { authorizeRoute } from './web/account/authorize.ts'
import { siteFinder } from './web/account/site.ts'
import { accountPages } from './web/account-pages.ts'
import { assetRoutes } from './web/asset-routes.ts'
import { docsRoutes } from './web/docs/index.ts'
import { errorPages } from './web/error-pages.tsx'
import { markdownFirst, registryPages } from './web/registry/pages.ts'

/** The pipeline: everything a request goes through, in order. */
export function createApp(ctx: AppContext, shedder: LoadShedder): Express {
  const app = express()
  app.disable('x-powered-by')
  // Only markdown has a validator of its own, the digest; hashing every JSON answer would not pay.
  app.disable('etag')
  app.set('trust proxy', ctx.config.trustProxy)

  const { services: served } = ctx.config
  const siteOf = siteFinder(ctx)
  const pages = errorPages(siteOf)
  const registry = registryService(ctx)
  const oauth = oauthService(ctx, {
    authorize: authorizeRoute(ctx),
    isPage: pages.isPage,
  })
  const services = [oauth, resourceApi(ctx), registry]
  // Scripts of other sites may read refusals where they may read answers.
  const isOpen = (path: string) => path === oauthContract.metadata.path || !oauth.owns(path)
  const mayWait = (path: string) => path !== healthAddress
  const needsCatalogue = (path: string) => registry.owns(path) && mayWait(path)
  app.use(secureHeaders(ctx), shedder.shedLoad(isOpen))
  app.use(logRequests(ctx), requireHost, compressAnswers)
  app.use(operatorRoutes(ctx), refuseWhile(ctx, ['database', 'migrations'], mayWait))
  app.use(refuseWhile(ctx, ['catalogue'], needsCatalogue))
  if (served.has('registry')) app.use(markdownFirst(ctx))
  for (const service of services) if (served.has(service.name)) app.use(service.serve(ctx))
  app.use(docsRoutes(ctx, services, siteOf), assetRoutes())
  if (served.has('oauth')) app.use(accountPages(ctx), demoReceiver(ctx))
  if (served.has('registry')) {
    app.use(refuseWhile(ctx, ['catalogue']))
    app.use(scopeAddresses(ctx), refuseSkillMethods, registryPages(ctx, siteOf), skillAddress(ctx))
  }
  app.use(nothingHere)
  app.use(answerErrors(ctx, { services, otherwise: registryDialect, pages }))
  return app
}

/** The registry's own address for health, which answers at any time. */
const healthAddress = registryContract.health.check.path

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
