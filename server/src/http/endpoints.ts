import {
  findUnknownIn,
  listRoutes,
  type Refused,
  reservedSegments,
  returnsPage,
} from '@skillpass/contract'
import type { AppRouter } from '@ts-rest/core'
import { RequestValidationError, type TsRestExpressOptions } from '@ts-rest/express'
import type { RequestHandler } from 'express'
import { Failure } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { readBody } from './body.ts'
import { runHandler } from './handlers.ts'
import { limitRoute } from './rate-limit.ts'
import { routeOf, setRoute } from './request.ts'

/**
 * The middleware that runs before each handler of a contract, in this order. `authenticate` checks
 * the credential that the route's metadata names and stores the caller. `checks` check
 * the parts of the request.
 */
export function endpointOptions<T extends AppRouter>(
  ctx: Context,
  authenticate: readonly RequestHandler[] = [],
  checks: readonly RequestHandler[] = [refuseUnknownNames('all')],
): TsRestExpressOptions<T> {
  const { intercept } = ctx
  return {
    logInitialization: false,
    // In production, the types already guarantee valid responses.
    responseValidation: ctx.config.environment === 'test',
    globalMiddleware: [
      (req, res, next) => {
        setRoute(req, req.tsRestRoute)
        const { maxAge } = routeOf(req).metadata
        if (maxAge !== undefined) {
          res.removeHeader('Pragma')
          res.setHeader('Cache-Control', `public, max-age=${maxAge}`)
        }
        next()
      },
      limitRoute(ctx, 'address'),
      ...(intercept ? [interceptAfter(authenticate, intercept)] : authenticate),
      limitRoute(ctx, 'caller'),
      readBody,
      ...checks,
    ],
    requestValidationErrorHandler: (error, _req, _res, next) => next(error),
  }
}

/** Intercepts a request whose caller is known, also one that authentication refuses. */
const interceptAfter =
  (authenticate: readonly RequestHandler[], intercept: RequestHandler): RequestHandler =>
  async (req, res, next) => {
    const authenticated = (async () => {
      for (const handler of authenticate) await runHandler(handler, req, res)
    })()
    const refusal: unknown = await authenticated.catch((error: unknown) => error)
    return intercept(req, res, (error?: unknown) => next(error ?? refusal))
  }

/** Refuses unknown names in requests that create, change or delete. */
export const refuseUnknownNames =
  (refused: Refused): RequestHandler =>
  (req, _res, next) => {
    const unknown = findUnknownIn(routeOf(req), req, refused)
    next(unknown && new RequestValidationError(null, null, unknown.query, unknown.body))
  }

/**
 * Returns 405 with `Allow` for a method that a path does not support, and 204 for OPTIONS. It must
 * run before the routes: the first matching path decides, so that an unsupported method of
 * `/skills/search` does not fall through to `/skills/:id` or to a skill's address.
 */
export function refuseOtherMethods(contract: AppRouter, cors: RequestHandler): RequestHandler {
  const paths = methodsByPath(contract)
  return (req, res, next) => {
    const methods = paths.find(({ matches }) => matches(req.path))?.methods
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
    // Pages do not support HEAD, so that no request can authorize an app without showing its page.
    if (method === 'GET' && !returnsPage(route)) methods.add('HEAD')
    paths.set(path, methods)
  }
  return [...paths].map(([path, methods]) => ({ matches: createMatcher(path), methods }))
}

/** Returns a matcher for a path template. No skill address starts with a reserved segment. */
export function createMatcher(path: string): (address: string) => boolean {
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
