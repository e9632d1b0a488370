import { type LimitClass, rateLimits } from '@skillpass/contract'
import type { RequestHandler, Response } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import { clientAddress } from '../limits/client-address.ts'
import { subjectOf } from './caller.ts'
import { routeOf } from './route.ts'

/**
 * Holds a route to the limit that its metadata names, where that counts addresses: before
 * authentication; or where it counts callers, agents or apps: after it.
 */
export function limitRoute(ctx: Context, counted: 'address' | 'caller'): RequestHandler {
  const countsAddresses = counted === 'address'
  return async (req, res, next) => {
    const name = routeOf(req).metadata.limit
    if (name !== 'none' && countsAddresses === (rateLimits[name].subject === 'address')) {
      await spend(ctx, res, name, countsAddresses ? clientAddress(req) : subjectOf(res))
    }
    next()
  }
}

/** Holds pages for people to the limit of a class. */
export const limitPages =
  (ctx: Context, name: 'read' | 'authorize' = 'read'): RequestHandler =>
  async (req, res, next) => {
    await spend(ctx, res, name, clientAddress(req))
    next()
  }

/**
 * Counts one request and says so in the headers: the IETF draft's `RateLimit` and
 * `RateLimit-Policy`, and the older `X-RateLimit-*`. Times are whole seconds, rounded up, so that
 * waiting that long works.
 */
async function spend(ctx: Context, res: Response, name: LimitClass, who: string) {
  const limit = ctx.config.rateLimits[name]
  if (limit === 0) return
  const { windowSeconds } = rateLimits[name]
  const verdict = await ctx.limiter.take(`${name}:${who}`, limit, windowSeconds * 1000)
  const seconds = Math.max(1, Math.ceil(verdict.resetMs / 1000))
  res.setHeader('RateLimit-Policy', `"${name}";q=${limit};w=${windowSeconds}`)
  res.setHeader('RateLimit', `"${name}";r=${verdict.remaining};t=${seconds}`)
  res.setHeader('X-RateLimit-Limit', limit)
  res.setHeader('X-RateLimit-Remaining', verdict.remaining)
  res.setHeader('X-RateLimit-Reset', Math.ceil(ctx.clock.now() / 1000) + seconds)
  if (verdict.allowed) return
  ctx.metrics.limited.inc({ class: name })
  throw new Failure(429, { retryAfter: seconds })
}
