import { registryContract } from '@skillpass/contract'
import type { RequestHandler, Response } from 'express'
import type { Context } from '../runtime/context.ts'
import { readTraceparent, traceIdOf } from '../runtime/traceparent.ts'
import { agentIdOf, findRoute } from './request.ts'

/** Paths that monitors poll. They are logged at debug level. */
export const probes: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  registryContract.health.check.path,
])

const requestIds = new WeakMap<object, string>()

/** Returns the id of the request that `res` belongs to, as sent in `X-Request-Id`. */
export const requestIdOf = (res: Response): string => requestIds.get(res) ?? ''

/**
 * Assigns an id to each request and logs one line when it ends: method, route template, status,
 * time and ids. It logs nothing else, because addresses, query strings, headers and bodies can
 * contain secrets.
 */
export function logRequests({ calls, clock, log, metrics, random }: Context): RequestHandler {
  return (req, res, next) => {
    const started = clock.monotonic()
    const sentId = req.headers['x-request-id']
    const requestId =
      typeof sentId === 'string' && /^[\w-]{8,64}$/.test(sentId) ? sentId : random.uuid()
    requestIds.set(res, requestId)
    res.setHeader('X-Request-Id', requestId)
    res.once('close', () => {
      const ms = clock.monotonic() - started
      const { method } = req
      const route = findRoute(req)?.path ?? pageRoute(req.route) ?? 'none'
      const status = res.writableFinished ? res.statusCode : 499
      calls.note(req, { method, route, status })
      metrics.requests.observe({ method, route, status }, ms / 1000)
      log[probes.has(route) ? 'debug' : 'info'](
        {
          requestId,
          traceId: traceIdOf(readTraceparent(req.headers)),
          method,
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          agent: agentIdOf(res),
        },
        'request',
      )
    })
    next()
  }
}

const pageRoute = (route: unknown): string | undefined =>
  typeof route === 'object' && route !== null && 'path' in route
    ? String([route.path].flat().at(-1))
    : undefined
