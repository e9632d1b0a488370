import type { IncomingMessage, ServerResponse } from 'node:http'
import { bounds } from '@skillpass/contract'
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import { Failure } from '../errors/failure.ts'
import { createOutage } from '../errors/report-outage.ts'
import type { Context } from '../runtime/context.ts'
import { clientAddress } from '../runtime/limits/client-address.ts'
import { signalOf } from '../runtime/request-signal.ts'
import { allowAnyOrigin } from './cors.ts'
import { probes } from './request-log.ts'
import { createUnsent, onceGone } from './unsent.ts'

/**
 * Limit on requests in flight. It is `max` while requests take up to `goodMs` on average, shrinks
 * in proportion as they take longer, and never falls below `min`.
 */
const limit = { max: 256, min: 64, goodMs: 200 }

/** Number of requests that the moving average covers. */
const averageOver = 16

/** Requests in flight that each caller may always have. */
const alwaysAllowed = 8

/**
 * Each turn of the event loop starts requests for up to `beginMs`. Node 20 accepts one connection
 * per turn, so while new connections keep arriving, no request starts for up to `acceptMs`.
 * Otherwise connections would wait in the kernel, where they cannot be counted, until their callers
 * give up.
 */
const turn = { beginMs: 4, acceptMs: 5 }

/** The overload is over after this time without a refusal, ms. */
const calmMs = 5000

/** Refusals with different times to retry. Shared, because creating an error is slow. */
const refusals = [1, 2, 3].map(
  (retryAfter) => new Failure(503, { retryAfter, isShed: true, neverBegan: true }),
)

export type LoadShedder = ReturnType<typeof createLoadShedder>

/**
 * Refuses requests with 503 while too many are in flight, or from an address that leaves responses
 * unread. A client address with fewer than `alwaysAllowed` requests is never refused, however slow
 * the machine is.
 */
export function createLoadShedder({ log, metrics }: Pick<Context, 'log' | 'metrics'>) {
  const callers = new Map<string, number>()
  const unsent = createUnsent()
  metrics.unsentBytes = unsent.totalBytes
  const waiting: (() => void)[] = []
  let [refusalCount, isTurnUsed, averageMs] = [0, false, 0]
  let [isConnecting, connectingSince] = [false, 0]
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  const calm = setTimeout(overload.worked, calmMs).unref()

  return {
    /** Call this for each accepted connection. */
    connected(): void {
      isConnecting = true
    },
    /**
     * Queues or refuses a request. `isOpen` selects paths that allow every origin. `sendError` sends
     * the refusal, because Express would first pass it through all other middleware.
     */
    shedLoad:
      (isOpen: (path: string) => boolean, sendError: ErrorRequestHandler): RequestHandler =>
      (req, res, next) => {
        if (probes.has(req.path)) return next()
        const caller = clientAddress(req)
        const failure = refusalOf(caller)
        if (!failure) return admit(caller, req, res, next)
        // Close the connection instead of reading a long body.
        if (!(Number(req.headers['content-length'] ?? 0) <= bounds.requestBytes))
          res.shouldKeepAlive = false
        const refuse = () => {
          Promise.resolve(sendError(failure, req, res, next)).catch(next)
        }
        // A refusal contains no private data, and scripts need to read Retry-After.
        if (isOpen(req.path)) allowAnyOrigin(req, res, refuse)
        else refuse()
      },
  }

  /** Returns the failure of a request that is refused, and undefined if it is admitted. */
  function refusalOf(caller: string): Failure | undefined {
    const isBusy = isOverloaded() && (callers.get(caller) ?? 0) >= alwaysAllowed
    if (!isBusy && !unsent.isFull(caller)) return undefined
    metrics.refused.inc()
    overload.failed({})
    calm.refresh()
    return refusals[refusalCount++ % refusals.length]
  }

  function admit(caller: string, req: Request, res: Response, next: NextFunction): void {
    let startedAt = 0
    const slot = createSlot(res, (by) => {
      metrics.inFlight += by
      const inFlight = (callers.get(caller) ?? 0) + by
      if (inFlight === 0) callers.delete(caller)
      else callers.set(caller, inFlight)
      if (by === 1) startedAt = performance.now()
      else averageMs += (performance.now() - startedAt - averageMs) / averageOver
    })
    unsent.watch(caller, res, slot.end)
    inTurn(() => {
      if (signalOf(req).aborted) return
      if (hasBody(req) && !req.complete) slot.awaitBody(req)
      next()
    })
  }

  function isOverloaded(): boolean {
    const { max, min, goodMs } = limit
    return metrics.inFlight >= Math.min(max, Math.max(min, (max * goodMs) / averageMs))
  }

  /** Starts requests in order of arrival. */
  function inTurn(begin: () => void): void {
    if (isTurnUsed) return void waiting.push(begin)
    isTurnUsed = true
    setImmediate(nextTurn)
    begin()
  }

  function nextTurn(): void {
    isTurnUsed = waiting.length > 0
    if (isTurnUsed) setImmediate(nextTurn)
    const now = performance.now()
    if (isConnecting && connectingSince === 0) connectingSince = now
    const isAccepting = isConnecting && now - connectingSince < turn.acceptMs
    isConnecting = false
    if (isAccepting) return
    connectingSince = 0
    beginUntil(now + turn.beginMs)
  }

  function beginUntil(end: number): void {
    waiting.shift()?.()
    // Run after the microtasks of this request, because their time counts too.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (waiting.length > 0 && performance.now() < end) beginUntil(end)
      }),
    )
  }
}

/** Counts a request until its response is complete or streams, or its client disconnects. */
function createSlot(res: ServerResponse, change: (by: 1 | -1) => void) {
  let [isCounted, isOver] = [true, false]
  change(1)
  const end = () => {
    if (isCounted && !isOver) change(-1)
    isOver = true
  }
  for (const event of ['prefinish', 'pipe']) res.once(event, end)
  onceGone(res, end)
  return {
    end,
    /** Does not count the request before its body arrives, so that slow senders block nobody. */
    awaitBody(req: IncomingMessage) {
      if (isOver) return
      change(-1)
      isCounted = false
      req.once('end', () => {
        if (isOver) return
        change(1)
        isCounted = true
      })
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
