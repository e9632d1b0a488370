import type { AppRoute, AppRouter } from '@ts-rest/core'
import { createExpressEndpoints } from '@ts-rest/express'
import { type RequestHandler, Router } from 'express'
import type { ServiceName } from '../config/checks.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import type { Dialect } from './dialect.ts'
import { answersPage, endpointOptions, listRoutes, refuseOtherMethods } from './endpoints.ts'

/** The handlers of a contract's routes. */
export type Handlers<T extends AppRouter> = Parameters<typeof createExpressEndpoints<T>>[1]

/** What the pipeline must know of a service. */
interface ServiceParts<T extends AppRouter> {
  readonly name: ServiceName
  /** The public address that its paths stand below. */
  readonly url: string
  readonly contract: T
  readonly routes: Handlers<T>
  /** Middleware that asks for the credential of a route, and notes the caller. */
  readonly authenticate: readonly RequestHandler[]
  readonly cors: RequestHandler
  /** Whether caches may keep answers; a route may say otherwise of its own. */
  readonly mayBeStored: boolean
  readonly dialect: Dialect
}

/** A service as the pipeline serves it: at the addresses of its contract. */
export interface Service extends Pick<ServiceParts<AppRouter>, 'name' | 'url' | 'dialect'> {
  /** Whether an address stands below a root of the contract, where no other service has routes. */
  owns(path: string): boolean
  /** Whether an address is for programs alone, so that nothing there fails with a page. */
  isApi(path: string): boolean
  /** Answers the requests to the service's addresses; others need not try its routes. */
  serve(ctx: Context): RequestHandler
}

/** Makes a service of its parts. */
export function createService<T extends AppRouter>(parts: ServiceParts<T>): Service {
  const { name, url, dialect, contract, routes, authenticate, cors, mayBeStored } = parts
  const all = listRoutes(contract)
  // Below a root where the contract has a page there are more pages; elsewhere the root is all API.
  const shared = new Set(all.filter(answersPage).map(rootOf))
  const apis = all.filter((route) => !answersPage(route))
  const owns = fitsBelow(all.map(rootOf))
  return {
    name,
    url,
    dialect,
    owns,
    isApi: fitsBelow(apis.map((route) => (shared.has(rootOf(route)) ? route.path : rootOf(route)))),
    serve(ctx) {
      const router = Router()
      router.use(cors, ...(mayBeStored ? [] : [neverStored]), refuseOtherMethods(contract, cors))
      createExpressEndpoints(contract, routes, router, endpointOptions(ctx, authenticate))
      if (shared.size === 0) router.use(nothingHere)
      return (req, res, next) => (owns(req.path) ? router(req, res, next) : next())
    },
  }
}

/** First segment of a route's path, such as `/api`; well-known addresses have one name more (RFC 8615). */
function rootOf({ path }: AppRoute): string {
  const [, first, second] = path.split('/')
  return first === '.well-known' ? `/${first}/${second}` : `/${first}`
}

/** Whether an address is one of these or stands below it. */
function fitsBelow(stems: readonly string[]): (path: string) => boolean {
  const starts = [...new Set(stems)].map((stem) => `${stem}/`)
  return (path) => {
    const address = `${path.toLowerCase()}/`
    return starts.some((start) => address.startsWith(start))
  }
}

/** Answers with tokens and of people belong in no cache (RFC 6749 §5.1). */
const neverStored: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Pragma', 'no-cache')
  next()
}

/** Ends a request for which nothing stands at its address. */
export const nothingHere: RequestHandler = (_req, _res, next) => next(new Failure(404))
