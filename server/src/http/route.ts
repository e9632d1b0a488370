import type { RouteMetadata } from '@skillpass/contract'
import type { AppRoute } from '@ts-rest/core'
import type { Request } from 'express'

/** A route of the contract, as middleware sees it. */
export type ContractRoute = AppRoute & { metadata: RouteMetadata }

const routes = new WeakMap<object, ContractRoute>()

/** Notes which route of the contract a request has reached. */
export function setRoute(req: object, route: AppRoute): void {
  if (!hasMetadata(route)) throw new Error(`${route.path} declares no metadata`)
  routes.set(req, route)
}

/** Whether a route says what the pipeline must know of it; all of the contract do. */
export const hasMetadata = (route: AppRoute): route is ContractRoute =>
  typeof route.metadata === 'object' && route.metadata !== null && 'auth' in route.metadata

/** The route of the contract that a request has reached, if it has reached one. */
export const findRoute = (req: object): ContractRoute | undefined => routes.get(req)

/** The route of a request that has reached one. */
export function routeOf(req: Request): ContractRoute {
  const route = routes.get(req)
  if (!route) throw new Error('this middleware runs only behind a route of the contract')
  return route
}
