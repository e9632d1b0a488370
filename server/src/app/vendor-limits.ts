import type { Request, RequestHandler, Response } from 'express'
import { Failure } from '../errors/failure.ts'
import { routeOf } from '../http/request.ts'
import { findVisibleMeeting } from '../meetings/meetings.ts'
import { findVisibleUser } from '../people/bearer.ts'
import { bearers } from '../people/http.ts'
import type { Context } from '../runtime/context.ts'
import { checkLimit } from '../runtime/limits/rate-limiter.ts'
import { dayLength, isoTime } from '../runtime/time.ts'

/** Requests of an account in a second, as in the smallest paid plan. */
const perSecond = { light: 30, medium: 20, heavy: 10 }

/** Meetings of a user that are created, changed or deleted in a UTC day, over all apps. */
const perDay = 100

/**
 * Applies the limits of the vendor's API (server/docs/testing.md). Failed requests do not count for
 * the day. Without `hints`, the refusals of the day say as little as some of the vendor's.
 */
export const limitLikeVendor =
  (ctx: Context, { hints }: { readonly hints: boolean }): RequestHandler =>
  async (req, res, next) => {
    const { clock, limiter } = ctx
    const { category = 'light', isDaily, limit: ours } = routeOf(req).metadata
    if (ours !== 'resource') return next()
    const apply = async (type: 'QPS' | 'Daily-limit', key: string, limit: number, what: string) => {
      const window = type === 'QPS' ? 1000 : dayLength
      const { remaining, allowed } = await checkLimit(limiter, { key, limit, window })
      res.setHeader('X-RateLimit-Type', type)
      res.setHeader('X-RateLimit-Limit', limit)
      res.setHeader('X-RateLimit-Remaining', remaining)
      if (allowed) return
      if (type === 'Daily-limit' && hints) res.setHeader('Retry-After', isoTime(dayEnd))
      if (type === 'Daily-limit' && !hints) res.removeHeader('X-RateLimit-Type')
      throw new Failure(429, { message: `You have reached the limit of ${limit} ${what}.` })
    }
    res.setHeader(
      'X-RateLimit-Category',
      category.replace(/^./, (first) => first.toUpperCase()),
    )
    const key = `${category}:${bearers.of(res).accountId}`
    await apply('QPS', key, perSecond[category], `${category} requests a second for this account`)
    if (!isDaily) return next()
    const dayEnd = (Math.floor(clock.now() / dayLength) + 1) * dayLength
    const dayKey = `daily:${await findHost(ctx, req, res)} ${dayEnd}`
    await apply(
      'Daily-limit',
      dayKey,
      perDay,
      'meetings created, changed or deleted a day (UTC) for this user',
    )
    res.once('prefinish', () => res.statusCode >= 400 && limiter.uncount(dayKey))
    next()
  }

/** Finds the user whose meeting a request is about. The route refuses a request without one. */
async function findHost(ctx: Context, { params }: Request, res: Response) {
  const { meetingId, userId } = params
  const caller = bearers.of(res)
  const finding =
    meetingId === undefined
      ? findVisibleUser(ctx, caller, String(userId))
      : findVisibleMeeting(ctx, caller, String(meetingId)).then(({ host }) => host)
  return finding.then(({ id }) => id).catch(() => 'nobody')
}
