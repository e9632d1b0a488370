import { registryContract } from '@skillpass/contract'
import { createExpressEndpoints } from '@ts-rest/express'
import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { Context } from './context.ts'
import { Failure } from './errors.ts'
import { allowAnyOrigin } from './http/cors.ts'
import { docsRoutes } from './http/docs.ts'
import { endpointOptions, refuseOtherMethods } from './http/endpoints.ts'
import { answerErrors, requireHost } from './http/errors.ts'
import { operatorRoutes } from './http/operators.ts'
import { logRequests } from './http/request-log.ts'
import { addressContract, apiContract, apiRoutes } from './registry/routes/index.ts'
import { rawSkillRoutes } from './registry/routes/raw-skill.ts'
import { webRouter } from './web/routes.ts'

/** The pipeline: everything a request goes through, in order. */
export function createApp(ctx: Context, isDraining: () => boolean = () => false): Express {
  const app = express()
  app.disable('x-powered-by')
  // Only markdown has a validator of its own, the digest; hashing every JSON answer would not pay.
  app.disable('etag')
  app.set('trust proxy', ctx.config.trustProxy)

  app.use(logRequests(ctx))
  app.use(secureHeaders(ctx))
  app.use(requireHost)
  app.use(operatorRoutes(ctx, isDraining))
  app.use('/api', allowAnyOrigin)
  app.use(refuseOtherMethods(registryContract))
  createExpressEndpoints(apiContract, apiRoutes(ctx), app, endpointOptions(ctx))
  app.use('/api', nothingHere)
  app.use(docsRoutes(ctx))
  app.use(webRouter(ctx))
  app.use('/:owner/:repo/:skill', allowAnyOrigin)
  createExpressEndpoints(
    addressContract,
    { rawSkill: rawSkillRoutes(ctx) },
    app,
    endpointOptions(ctx),
  )
  app.use(nothingHere)
  app.use(answerErrors(ctx))
  return app
}

const nothingHere: RequestHandler = (_req, _res, next) => next(new Failure('NOT_FOUND'))

/** Helmet's headers, with a policy for answers that are data; pages set their own. */
const secureHeaders = ({ config }: Context) =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // Over plain http the header would be ignored or lock a host out that cannot do https.
    strictTransportSecurity: config.baseUrl.startsWith('https:'),
  })
