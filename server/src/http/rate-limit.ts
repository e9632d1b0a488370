import { type LimitClass, type RateLimit, rateLimits } from '@skillpass/contract'
import type { RequestHandler, Response } from 'express'
import { Failure } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { clientAddress, isFromThisMachine } from '../runtime/limits/client-address.ts'
import { checkLimit } from '../runtime/limits/rate-limiter.ts'
import { routeOf, subjectOf } from './request.ts'

/**
 * Applies the rate limit that the route's metadata names. Limits per address apply before
 * authentication, limits per caller after it. For a limit that counts only successes (`attempts` is
 * set), this middleware counts the attempt under the limit of attempts and only checks the limit
 * itself; `countSuccess` counts a success.
 */
export function limitRoute(ctx: Context, counted: 'address' | 'caller'): RequestHandler {
  const countsAddresses = counted === 'address'
  return async (req, res, next) => {
    const name = routeOf(req).metadata.limit
    if (name === 'none' || countsAddresses !== (rateLimits[name].subject === 'address')) {
      return next()
    }
    const who = countsAddresses ? clientAddress(req) : subjectOf(res)
    const { attempts }: RateLimit = rateLimits[name]
    if (attempts) await applyLimit(ctx, res, attempts, who)
    await applyLimit(ctx, res, name, who, !attempts)
    next()
  }
}

/**
 * Performs an act. If its limit counts only successes, counts the act first, so that concurrent
 * requests cannot exceed the limit, and uncounts it if it fails.
 */
export async function countSuccess<T>(
  ctx: Context,
  res: Response,
  name: LimitClass | 'none',
  act: () => Promise<T>,
): Promise<T> {
  const { attempts }: Partial<RateLimit> = name === 'none' ? {} : rateLimits[name]
  if (name === 'none' || !attempts) return act()
  const who = clientAddress(res.req)
  await applyLimit(ctx, res, name, who)
  try {
    return await act()
  } catch (error) {
    await ctx.limiter.uncount(keyOf(name, who))
    // Corrects the headers. A concurrent request may have reached the limit since.
    await applyLimit(ctx, res, name, who, false).catch(() => {})
    throw error
  }
}

export const limitPages =
  (ctx: Context, name: 'read' | 'authorize' | 'report' = 'read'): RequestHandler =>
  async (req, res, next) => {
    await applyLimit(ctx, res, name, clientAddress(req))
    next()
  }

const keyOf = (name: LimitClass, who: string) => `${name}:${who}`

/**
 * Counts a request, or only checks the limit, and sets the headers `RateLimit` and
 * `RateLimit-Policy` (IETF draft) and `X-RateLimit-*`. Times are rounded up to whole seconds, so
 * that a retry after that time succeeds. Throws 429 if the limit is reached.
 */
export async function applyLimit(
  ctx: Context,
  res: Response,
  name: LimitClass,
  who: string,
  counts = true,
) {
  const limit = ctx.config.rateLimits[name]
  if (limit === 0 || (!ctx.config.limitsThisMachine && isFromThisMachine(res.req))) return
  const { windowSeconds } = rateLimits[name]
  const window = { key: keyOf(name, who), limit, window: windowSeconds * 1000 }
  const verdict = await checkLimit(ctx.limiter, window, counts)
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
