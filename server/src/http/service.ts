import { listRoutes, returnsPage } from '@skillpass/contract'
import type { AppRoute, AppRouter } from '@ts-rest/core'
import { createExpressEndpoints } from '@ts-rest/express'
import { type RequestHandler, Router } from 'express'
import { Failure } from '../errors/failure.ts'
import type { ServiceName } from '../runtime/config/checks.ts'
import type { Context } from '../runtime/context.ts'
import type { Dialect } from './dialects.ts'
import { endpointOptions, refuseOtherMethods } from './endpoints.ts'

export type Handlers<T extends AppRouter> = Parameters<typeof createExpressEndpoints<T>>[1]

interface ServiceParts<T extends AppRouter> {
  readonly name: ServiceName
  /** Public base address of the service's paths. */
  readonly url: string
  readonly contract: T
  readonly routes: Handlers<T>
  /** Middleware that checks a route's credential and stores the caller. */
  readonly authenticate: readonly RequestHandler[]
  /** Checks the parts of a request. The default refuses all unknown names in writes. */
  readonly checks?: readonly RequestHandler[]
  readonly cors: RequestHandler
  /** Whether caches may store responses. A route can override it. */
  readonly mayBeStored: boolean
  readonly dialect: Dialect
}

export interface Service extends Pick<ServiceParts<AppRouter>, 'name' | 'url' | 'dialect'> {
  /** Whether a path is below one of the contract's roots. Services share no roots. */
  owns(path: string): boolean
  /** Whether errors at a path are always JSON. */
  isApi(path: string): boolean
  /** Handles requests to the service's paths and passes others on. */
  serve(ctx: Context): RequestHandler
}

export function createService<T extends AppRouter>(parts: ServiceParts<T>): Service {
  const { name, url, dialect, contract, routes, authenticate, checks, cors, mayBeStored } = parts
  const all = listRoutes(contract)
  // A root with a page in the contract also has pages that are not in the contract. Other roots are
  // APIs.
  const shared = new Set(all.filter(returnsPage).map(rootOf))
  const apis = all.filter((route) => !returnsPage(route))
  const owns = isAtOrBelow(all.map(rootOf))
  return {
    name,
    url,
    dialect,
    owns,
    isApi: isAtOrBelow(
      apis.map((route) => (shared.has(rootOf(route)) ? route.path : rootOf(route))),
    ),
    serve(ctx) {
      const router = Router()
      router.use(cors, ...(mayBeStored ? [] : [neverStored]), refuseOtherMethods(contract, cors))
      createExpressEndpoints(contract, routes, router, endpointOptions(ctx, authenticate, checks))
      if (shared.size === 0) router.use(notFound)
      return (req, res, next) => (owns(req.path) ? router(req, res, next) : next())
    },
  }
}

/** Returns the first segment of a path, or the first two of a well-known URI (RFC 8615). */
function rootOf({ path }: AppRoute): string {
  const [, first, second] = path.split('/')
  return first === '.well-known' ? `/${first}/${second}` : `/${first}`
}

/** Returns a matcher for the given paths and everything below them. */
function isAtOrBelow(stems: readonly string[]): (path: string) => boolean {
  const starts = [...new Set(stems)].map((stem) => `${stem}/`)
  return (path) => {
    const address = `${path.toLowerCase()}/`
    return starts.some((start) => address.startsWith(start))
  }
}

/** Forbids caching of tokens and personal data (RFC 6749 §5.1). */
const neverStored: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Pragma', 'no-cache')
  next()
}

export const notFound: RequestHandler = (_req, _res, next) => next(new Failure(404))
