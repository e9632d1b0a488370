import type { RouteMetadata } from '@skillpass/contract'
import type { AppRoute } from '@ts-rest/core'
import type { Request } from 'express'

export type ContractRoute = AppRoute & { metadata: RouteMetadata }

const routes = new WeakMap<object, ContractRoute>()

export function setRoute(req: object, route: AppRoute): void {
  if (!hasMetadata(route)) throw new Error(`${route.path} declares no metadata`)
  routes.set(req, route)
}

/** Whether a route declares its metadata. All routes of the contract do. */
export const hasMetadata = (route: AppRoute): route is ContractRoute =>
  typeof route.metadata === 'object' && route.metadata !== null && 'auth' in route.metadata

export const findRoute = (req: object): ContractRoute | undefined => routes.get(req)

/** Returns the contract route of a request. Throws if it matched none. */
export function routeOf(req: Request): ContractRoute {
  const route = routes.get(req)
  if (!route) throw new Error('this middleware runs only behind a route of the contract')
  return route
}
