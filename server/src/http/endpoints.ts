import { reservedSegments } from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'
import type { TsRestExpressOptions } from '@ts-rest/express'
import type { Express, RequestHandler } from 'express'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { authenticate } from './authenticate.ts'
import { readBody } from './body.ts'
import { limitRoute } from './rate-limit.ts'
import { setRoute } from './route.ts'

/** What every route of the contract goes through before its handler, in this order. */
export function endpointOptions<T extends AppRouter>(ctx: Context): TsRestExpressOptions<T> {
  return {
    logInitialization: false,
    // In tests no answer may break the contract; in production the types have seen to that.
    responseValidation: ctx.config.environment === 'test',
    globalMiddleware: [
      (req, _res, next) => {
        setRoute(req, req.tsRestRoute)
        next()
      },
      limitRoute(ctx, 'address'),
      authenticate(ctx),
      limitRoute(ctx, 'apiKey'),
      readBody,
    ],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  }
}

/** Answers 405 with `Allow` where a path of the contract is asked with a method it does not take. */
export function refuseOtherMethods(app: Express, contract: AppRouter): void {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of listRoutes(contract)) {
    const known = methods.get(path) ?? new Set(['OPTIONS'])
    known.add(method)
    if (method === 'GET') known.add('HEAD')
    methods.set(path, known)
  }
  for (const [path, allowed] of methods) {
    const allow = [...allowed].sort().join(', ')
    const refuse: RequestHandler = (req, res, next) => {
      // The address of a skill fits nearly any path; below the name of a route stands no skill.
      const [, first = ''] = req.path.toLowerCase().split('/')
      if (!path.startsWith('/api/') && reservedSegments.has(first)) return next()
      res.setHeader('Allow', allow)
      if (req.method === 'OPTIONS') return res.status(204).end()
      // A GET of a skill's address that came this far found nothing there.
      if (allowed.has(req.method)) return next()
      next(new Failure('METHOD_NOT_ALLOWED'))
    }
    app.all(path, refuse)
  }
}

/** Every route of a contract, in the order of its keys. */
export function listRoutes(contract: AppRouter): AppRoute[] {
  return Object.values(contract).flatMap((entry) => (isAppRoute(entry) ? entry : listRoutes(entry)))
}
