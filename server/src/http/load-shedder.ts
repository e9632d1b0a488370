import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import { createOutage } from '../errors/report-outage.ts'
import type { Context } from '../runtime/context.ts'
import { clientAddress } from '../runtime/limits/client-address.ts'
import { signalOf } from '../runtime/request-signal.ts'
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
 * Each turn of the event loop starts requests for this time, ms. Node accepts one connection a
 * turn, so while connections arrive, a turn starts one request. Otherwise they would wait in the
 * kernel, where nobody can refuse their requests, until their callers give up.
 */
const beginMs = 1

/** The overload is over after this time without a refusal, ms. */
const calmMs = 5000

/** `Retry-After` of refusals, in turn, so that clients do not all return at once, seconds. */
const retryAfter = [1, 2, 3]

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
  let [refusalCount, isTurnUsed, isConnecting, averageMs] = [0, false, false, 0]
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  const calm = setTimeout(overload.worked, calmMs).unref()

  return {
    /** Call this for each accepted connection. */
    connected(): void {
      isConnecting = true
    },
    /**
     * Returns undefined if a request is admitted. Otherwise returns the seconds after which it may
     * be sent again.
     */
    refuse(req: Request): number | undefined {
      const isBusy = metrics.inFlight >= limitNow()
      if ((!isBusy && !unsent.isAnyFull()) || probes.has(req.path)) return undefined
      const caller = clientAddress(req)
      const isRefused = isBusy && (callers.get(caller) ?? 0) >= alwaysAllowed
      if (!isRefused && !unsent.isFull(caller)) return undefined
      metrics.refused.inc()
      overload.failed({})
      calm.refresh()
      return retryAfter[refusalCount++ % retryAfter.length]
    },
    /** Counts a request and starts it in its turn. */
    admit(req: Request, res: Response, next: NextFunction): void {
      if (probes.has(req.path)) {
        next()
        return
      }
      const caller = clientAddress(req)
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
    },
  }

  function limitNow(): number {
    const { max, min, goodMs } = limit
    return Math.min(max, Math.max(min, (max * goodMs) / averageMs))
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
    beginUntil(isConnecting ? 0 : performance.now() + beginMs)
    isConnecting = false
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
