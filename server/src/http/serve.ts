import {
  type AppRoute,
  type AppRouter,
  isAppRoute,
  type ServerInferRequest,
  type ServerInferResponseBody,
} from '@ts-rest/core'
import type { Request, Response } from 'express'
import { type Context, forRequest } from '../runtime/context.ts'
import { countSuccess } from './rate-limit.ts'
import { routeOf } from './request.ts'
import type { Handlers } from './service.ts'

type Success = 200 | 201 | 204

/** A request with its context, and the caller that its credential names. */
export interface Served<C, A> {
  readonly ctx: C
  /** Throws if the route needs no credential. */
  readonly caller: A
  readonly req: Request
  readonly res: Response
}

type SuccessOf<R extends AppRoute> = ServerInferResponseBody<R, Success & keyof R['responses']>

/** Does what a route promises and returns the body of its only success. */
type Handler<R extends AppRoute, C, A> = (
  request: ServerInferRequest<R> & Served<C, A>,
) => Promise<SuccessOf<R> extends undefined ? void : SuccessOf<R>>

export type HandlersOf<T extends AppRouter, C, A> = {
  readonly [K in keyof T]: T[K] extends AppRoute
    ? Handler<T[K], C, A>
    : T[K] extends AppRouter
      ? HandlersOf<T[K], C, A>
      : never
}

/**
 * Serves routes. The status of a success, and whether only successes count under the rate limit,
 * are those of the contract.
 */
export const serve = <T extends AppRouter, C extends Context, A>(
  ctx: C,
  callerOf: (res: Response) => A,
  contract: T,
  handlers: HandlersOf<T, C, A>,
) => serveAll(ctx, callerOf, contract, handlers) as Handlers<T>

type AnyHandler = (request: object) => Promise<unknown>

function serveAll(
  ctx: Context,
  callerOf: (res: Response) => unknown,
  contract: AppRouter,
  handlers: object,
): object {
  const served = Object.entries(contract).map(([name, entry]) => {
    const handler: unknown = Reflect.get(handlers, name)
    if (!isAppRoute(entry)) return [name, serveAll(ctx, callerOf, entry, Object(handler))]
    const status = Math.min(...Object.keys(entry.responses).map(Number))
    const handle = (parts: { req: Request; res: Response }) => {
      const request = requestOf(ctx, callerOf, parts)
      return countSuccess(ctx, parts.res, routeOf(parts.req).metadata.limit, async () => ({
        status,
        body: await (handler as AnyHandler)(request),
      }))
    }
    return [name, handle]
  })
  return Object.fromEntries(served)
}

/** Returns what a handler receives. */
export const requestOf = <C extends Context, A, P extends { req: Request; res: Response }>(
  ctx: C,
  callerOf: (res: Response) => A,
  parts: P,
): P & Served<C, A> =>
  Object.defineProperty({ ...parts, ctx: forRequest(ctx, parts.req) }, 'caller', {
    get: () => callerOf(parts.res),
  }) as P & Served<C, A>
