import type { RequestHandler } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import type { Wait } from '../runtime/readiness.ts'

/** `Retry-After` during the start, seconds. */
const retryAfterStart = 1

/** Returns 503 while the process waits for `wait`, on paths that `isAffected` selects. */
export const refuseWhile =
  (
    { readiness }: Pick<Context, 'readiness'>,
    wait: Wait,
    isAffected: (path: string) => boolean = () => true,
  ): RequestHandler =>
  (req, _res, next) => {
    if (!readiness.waits.has(wait) || !isAffected(req.path)) return next()
    const { fault } = readiness
    const isShed = fault !== undefined
    next(
      new Failure(503, { message: fault, isShed, retryAfter: retryAfterStart, neverBegan: true }),
    )
  }
