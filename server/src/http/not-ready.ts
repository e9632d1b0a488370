import type { RequestHandler } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import type { Wait } from '../runtime/readiness.ts'

/** Seconds after which a start has most likely come further. */
const retryAfterStart = 1

/** Answers 503 while the process waits for one of these, where `concerns` says that a path needs it. */
export const refuseWhile =
  (
    { readiness }: Pick<Context, 'readiness'>,
    waits: readonly Wait[],
    concerns: (path: string) => boolean = () => true,
  ): RequestHandler =>
  (req, _res, next) => {
    if (!waits.some(readiness.isWaitingFor) || !concerns(req.path)) return next()
    next(new Failure(503, { retryAfter: retryAfterStart, neverBegan: true }))
  }
