import { reservedSegments } from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute, isAppRouteOtherResponse } from '@ts-rest/core'
import type { TsRestExpressOptions } from '@ts-rest/express'
import type { RequestHandler } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import { readBody } from './body.ts'
import { limitRoute } from './rate-limit.ts'
import { setRoute } from './route.ts'

/**
 * What every route of a contract goes through before its handler, in this order. `authenticate` asks
 * for the credential that the route's metadata names, and notes the caller.
 */
export function endpointOptions<T extends AppRouter>(
  ctx: Context,
  authenticate: readonly RequestHandler[],
): TsRestExpressOptions<T> {
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
      ...authenticate,
      limitRoute(ctx, 'caller'),
      readBody,
    ],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  }
}

/**
 * Answers 405 with `Allow` where a path of the contract is asked with a method it does not take, and
 * OPTIONS everywhere. Stands before the routes: the first path that fits decides, so that a method
 * which `/skills/search` does not take cannot fall through to `/skills/:id` or to a skill's address.
 */
export function refuseOtherMethods(contract: AppRouter, cors: RequestHandler): RequestHandler {
  const paths = methodsByPath(contract)
  return (req, res, next) => {
    const methods = paths.find(({ fits }) => fits(req.path))?.methods
    if (!methods) return next()
    if (req.method !== 'OPTIONS' && methods.has(req.method)) return next()
    cors(req, res, () => {
      res.setHeader('Allow', [...methods].sort().join(', '))
      if (req.method === 'OPTIONS') res.status(204).end()
      else next(new Failure(405))
    })
  }
}

function methodsByPath(contract: AppRouter) {
  const paths = new Map<string, Set<string>>()
  for (const route of listRoutes(contract)) {
    const { path, method } = route
    const methods = paths.get(path) ?? new Set(['OPTIONS'])
    methods.add(method)
    // An authorization request without its page would have done nothing (attack: HEAD for GET).
    if (method === 'GET' && !answersPage(route)) methods.add('HEAD')
    paths.set(path, methods)
  }
  return [...paths].map(([path, methods]) => ({ fits: fitting(path), methods }))
}

/** Whether an address fits a path. A skill's fits nearly any, but none stands below a route's name. */
function fitting(path: string): (address: string) => boolean {
  const pattern = new RegExp(
    `^${path.replace(/:\w+/g, '([^/]+)').replace(/\*\w+/g, '(.+)')}/?$`,
    'i',
  )
  const isAddress = path.startsWith('/:')
  return (address) => {
    const [whole, first = ''] = pattern.exec(address) ?? []
    return whole !== undefined && !(isAddress && reservedSegments.has(first.toLowerCase()))
  }
}

/** Every route of a contract, in the order of its keys. */
export function listRoutes(contract: AppRouter): AppRoute[] {
  return Object.values(contract).flatMap((entry) => (isAppRoute(entry) ? entry : listRoutes(entry)))
}

/** Whether a route answers with a page for people. */
export function answersPage({ responses: { 200: answer } }: AppRoute): boolean {
  return (
    answer !== undefined &&
    isAppRouteOtherResponse(answer) &&
    answer.contentType.startsWith('text/html')
  )
}
