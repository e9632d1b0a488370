import type { Request, RequestHandler, Response } from 'express'
import { Failure } from '../errors/failure.ts'
import { routeOf } from '../http/request.ts'
import { findVisibleMeeting } from '../meetings/meetings.ts'
import { findVisibleUser } from '../people/bearer.ts'
import { bearers } from '../people/http.ts'
import type { Context } from '../runtime/context.ts'
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
    const rate = perSecond[category]
    const dayEnd = (Math.floor(clock.now() / dayLength) + 1) * dayLength
    const dayKey = `daily:${isDaily && (await findHost(ctx, req, res))} ${dayEnd}`
    const limits = [
      { key: `${category}:${bearers.of(res).accountId}`, limit: rate, window: 1000 },
      ...(isDaily ? [{ key: dayKey, limit: perDay, window: dayLength }] : []),
    ]
    const [second, day] = await limiter.check(limits, true)
    const isFast = second?.allowed === false
    const isOver = !isFast && day?.allowed === false
    const shown = isFast || !day ? second : day
    res.setHeader(
      'X-RateLimit-Category',
      category.replace(/^./, (first) => first.toUpperCase()),
    )
    if (hints || !isOver) res.setHeader('X-RateLimit-Type', shown === day ? 'Daily-limit' : 'QPS')
    res.setHeader('X-RateLimit-Limit', shown === day ? perDay : rate)
    res.setHeader('X-RateLimit-Remaining', shown?.remaining ?? 0)
    if (hints && isOver) res.setHeader('Retry-After', isoTime(dayEnd))
    if (isFast || isOver) {
      const limit = isFast
        ? `${rate} ${category} requests a second for this account`
        : `${perDay} meetings created, changed or deleted a day (UTC) for this user`
      throw new Failure(429, { message: `You have reached the limit of ${limit}.` })
    }
    if (isDaily) res.once('prefinish', () => res.statusCode >= 400 && limiter.uncount(dayKey))
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
