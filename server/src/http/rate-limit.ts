import { type LimitClass, rateLimits } from '@skillpass/contract'
import type { RequestHandler, Response } from 'express'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import { clientAddress } from '../limits/client-address.ts'
import { findCaller } from './caller.ts'
import { routeOf } from './route.ts'

/** The limit of a class on this server; 0 is none. */
export function limitOf(config: Config, name: LimitClass): number {
  const limits = config.rateLimits
  return {
    read: limits.readsPerMinute,
    write: limits.writesPerMinute,
    registration: limits.registrationsPerHour,
    health: limits.readsPerMinute === 0 ? 0 : rateLimits.health.limit,
    authorize: limits.authorizePerMinute,
    resource: limits.resourcePerMinute,
  }[name]
}

/**
 * Holds a route to the limit that its metadata names, where that counts addresses: before
 * authentication; or where it counts callers, agents or apps: after it.
 */
export function limitRoute(ctx: Context, counted: 'address' | 'caller'): RequestHandler {
  return (req, res, next) => {
    const name = routeOf(req).metadata.limit
    if (name === 'none' || limitOf(ctx.config, name) === 0) return next()
    const countsAddresses = rateLimits[name].subject === 'address'
    if (countsAddresses !== (counted === 'address')) return next()
    const subject = countsAddresses ? clientAddress(req) : findCaller(res)?.subject
    if (subject === undefined) throw new Error(`nobody is known to have sent this ${name}`)
    return spend(ctx, res, name, subject).then(() => next())
  }
}

/** Holds pages for people to the limit of a class. */
export function limitPages(ctx: Context, name: 'read' | 'authorize' = 'read'): RequestHandler {
  return (req, res, next) => {
    if (limitOf(ctx.config, name) === 0) return next()
    return spend(ctx, res, name, clientAddress(req)).then(() => next())
  }
}

/**
 * Counts one request and says so in the headers: the IETF draft's `RateLimit` and
 * `RateLimit-Policy`, and the older `X-RateLimit-*`. Times are whole seconds, rounded up, so that
 * waiting that long works.
 */
async function spend(ctx: Context, res: Response, name: LimitClass, who: string) {
  const limit = limitOf(ctx.config, name)
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
