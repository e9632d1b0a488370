import { type LimitClass, type RateLimit, rateLimits } from '@skillpass/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import { clientAddress } from '../limits/client-address.ts'
import { askOne } from '../limits/rate-limiter.ts'
import { subjectOf } from './caller.ts'
import { routeOf } from './route.ts'

/**
 * Holds a route to the limit that its metadata names, where that counts addresses: before
 * authentication; or where it counts callers, agents or apps: after it. Where the limit counts what
 * succeeds, an attempt is counted under a wider one, and what is left of this one is looked at;
 * `countingSuccess` counts.
 */
export function limitRoute(ctx: Context, counted: 'address' | 'caller'): RequestHandler {
  const countsAddresses = counted === 'address'
  return (req, res, next) => {
    const name = routeOf(req).metadata.limit
    if (name === 'none' || countsAddresses !== (rateLimits[name].subject === 'address')) {
      return next()
    }
    const who = countsAddresses ? clientAddress(req) : subjectOf(res)
    return holdRoute(ctx, res, name, who).then(() => next())
  }
}

async function holdRoute(ctx: Context, res: Response, name: LimitClass, who: string) {
  const { attempts }: RateLimit = rateLimits[name]
  if (attempts) await hold(ctx, res, attempts, who)
  await hold(ctx, res, name, who, !attempts)
}

/**
 * Counts a success of a route whose limit counts those, once, however often a transaction is tried
 * again: to be called where nothing else can refuse the request any more. Throws 429 where others have
 * used the limit up meanwhile.
 */
export function countingSuccess(ctx: Context, req: Request, res: Response): () => Promise<void> {
  const name = routeOf(req).metadata.limit
  let counted: Promise<void> | undefined
  return async () => {
    if (name !== 'none') counted ??= hold(ctx, res, name, clientAddress(req))
    await counted
  }
}

/** Holds pages for people to the limit of a class. */
export const limitPages =
  (ctx: Context, name: 'read' | 'authorize' = 'read'): RequestHandler =>
  async (req, res, next) => {
    await hold(ctx, res, name, clientAddress(req))
    next()
  }

/**
 * Counts one request, or looks whether one would be taken, and says so in the headers: the IETF
 * draft's `RateLimit` and `RateLimit-Policy`, and the older `X-RateLimit-*`. Times are whole seconds,
 * rounded up, so that waiting that long works. Throws 429 where none is taken.
 */
async function hold(ctx: Context, res: Response, name: LimitClass, who: string, counts = true) {
  const limit = ctx.config.rateLimits[name]
  if (limit === 0) return
  const { windowSeconds } = rateLimits[name]
  const asked = { key: `${name}:${who}`, limit, window: windowSeconds * 1000 }
  const verdict = await askOne(ctx.limiter, asked, counts)
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
