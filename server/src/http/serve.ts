import {
  type AppRoute,
  type AppRouter,
  isAppRoute,
  type ServerInferRequest,
  type ServerInferResponseBody,
} from '@ts-rest/core'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { invalidBody } from '../errors/failure.ts'
import { type Context, forRequest } from '../runtime/context.ts'
import { runHandler } from './handlers.ts'
import { countSuccess } from './rate-limit.ts'
import { routeOf, setRoute } from './request.ts'
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

/** Does what a route does with the parts of a request, and returns the body of its success. */
export type CallRoute = (
  route: AppRoute,
  exchange: { req: Request; res: Response },
  sent: Readonly<Partial<Record<'params' | 'query' | 'body', object | undefined>>>,
) => Promise<unknown>

/** Returns a function that calls the routes that `serve` returned, after checks of the caller. */
export function createRouteCaller(
  contract: AppRouter,
  served: object,
  checks: readonly RequestHandler[],
): CallRoute {
  const handlers = new Map(handlersIn(contract, served))
  const schemaOf = (part: unknown) => (part instanceof z.ZodType ? part : z.unknown().optional())
  return async (route, { req, res }, { params, query = {}, body }) => {
    setRoute(req, route)
    for (const check of checks) await runHandler(check, req, res)
    const { pathParams, query: ofQuery, body: ofBody } = { body: undefined, ...route }
    const parts = { params: schemaOf(pathParams), query: schemaOf(ofQuery), body: schemaOf(ofBody) }
    const read = z.object(parts).safeParse({ params, query, body })
    if (!read.success) {
      throw invalidBody(read.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })))
    }
    return z
      .object({ body: z.unknown() })
      .parse(await handlers.get(route)?.({ ...read.data, req, res })).body
  }
}

const handlersIn = (contract: AppRouter, served: object): [AppRoute, AnyHandler][] =>
  Object.entries(contract).flatMap(([name, entry]) => {
    const handler: unknown = Reflect.get(served, name)
    return isAppRoute(entry) ? [[entry, handler as AnyHandler]] : handlersIn(entry, Object(handler))
  })

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
