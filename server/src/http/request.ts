import { isMetadata, type RouteMetadata } from '@skillpass/contract'
import type { AppRoute } from '@ts-rest/core'
import type { Request } from 'express'
import { type ErrorCode, fail } from '../errors/failure.ts'

type ContractRoute = AppRoute & { metadata: RouteMetadata }

const routes = new WeakMap<object, ContractRoute>()

export function setRoute(req: object, route: AppRoute): void {
  if (!hasMetadata(route)) throw new Error(`${route.path} declares no metadata`)
  routes.set(req, route)
}

const hasMetadata = (route: AppRoute): route is ContractRoute => isMetadata(route.metadata)

export const findRoute = (req: object): ContractRoute | undefined => routes.get(req)

/** Returns the contract route of a request. Throws if it matched none. */
export function routeOf(req: Request): ContractRoute {
  const route = routes.get(req)
  if (!route) throw new Error('this middleware runs only behind a route of the contract')
  return route
}

/** The authenticated sender of a request. */
interface Caller {
  /** Key under which rate limits count the caller's requests. */
  readonly subject: string
  /** The agent's id, for the log. */
  readonly agent?: string
}

const callers = new WeakMap<object, Caller>()

export const agentIdOf = (res: object): string | undefined => callers.get(res)?.agent

export const subjectOf = (res: object): string => callers.get(res)?.subject ?? fail(500)

/**
 * Stores the authenticated callers of one service by response. `describe` returns the caller's rate
 * limit key and agent. `of` throws `missing` if the request is not authenticated.
 */
export function createCallers<T>(missing: ErrorCode, describe?: (caller: T) => Caller) {
  const known = new WeakMap<object, T>()
  return {
    set(res: object, caller: T): void {
      known.set(res, caller)
      if (describe) callers.set(res, describe(caller))
    },
    of: (res: object): T => known.get(res) ?? fail(missing),
  }
}
