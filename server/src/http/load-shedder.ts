import type { IncomingMessage, ServerResponse } from 'node:http'
import { bounds } from '@skillpass/contract'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import { clientAddress } from '../limits/client-address.ts'
import { count } from '../runtime/count.ts'
import { createOutage } from '../runtime/outage.ts'
import { signalOf } from '../runtime/request-signal.ts'
import { allowAnyOrigin } from './cors.ts'
import { probes } from './request-log.ts'

/**
 * Requests in flight beyond which callers with many are refused: `most` while requests take up to `goodMs`
 * on average, and inversely fewer the longer they take, but never under `least`.
 */
const limit = { most: 256, least: 64, goodMs: 200 }

/** Requests over which their time is averaged. */
const averaged = 16

/** Requests of one caller in flight that are served in any case. */
const alwaysServed = 8

/**
 * Requests begin in a turn of the event loop until they have taken `beginMs`. Node 20 accepts one connection a
 * turn, so while connections keep coming nothing begins for up to `acceptMs`: they would otherwise wait in the
 * kernel, unseen, until their callers have left.
 */
const turn = { beginMs: 4, acceptMs: 5 }

/** Time without a refusal after which an overload is over, ms. */
const calmMs = 5000

export type LoadShedder = ReturnType<typeof createLoadShedder>

/**
 * Refuses requests while too many are in flight. A caller, that is a client address, with
 * fewer than `alwaysServed` in flight is never refused, however slow the machine is.
 */
export function createLoadShedder({ log, metrics }: Pick<Context, 'log' | 'metrics'>) {
  const callers = new Map<string, number>()
  const waiting: (() => void)[] = []
  let [refusals, isTurnUsed, averageMs] = [0, false, 0]
  let [isConnecting, connectingSince] = [false, 0]
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  const calm = setTimeout(overload.worked, calmMs).unref()

  return {
    /** Notes that a connection was accepted. */
    connected(): void {
      isConnecting = true
    },
    /**
     * Middleware that begins a request when it is its turn, or refuses it before any work is done for it.
     * `isOpen` tells where scripts of other sites may read the refusal.
     */
    shedLoad:
      (isOpen: (path: string) => boolean): RequestHandler =>
      (req, res, next) =>
        admit(isOpen(req.path), req, res, next),
  }

  function admit(isOpen: boolean, req: Request, res: Response, next: NextFunction): void {
    if (probes.has(req.path)) {
      next()
      return
    }
    const caller = clientAddress(req)
    if (isOverloaded() && (callers.get(caller) ?? 0) >= alwaysServed) {
      metrics.refused.inc()
      overload.failed({})
      calm.refresh()
      // A body that is long is not waited for.
      if (!(Number(req.headers['content-length'] ?? 0) <= bounds.requestBytes))
        res.shouldKeepAlive = false
      const retryAfter = 1 + (refusals++ % 3)
      const refuse = () => next(new Failure(503, { retryAfter, isShed: true, neverBegan: true }))
      // Nothing in a refusal is of anybody, and scripts are to see when to come back.
      if (isOpen) allowAnyOrigin(req, res, refuse)
      else refuse()
      return
    }
    let since = 0
    const place = createPlace(res, (by) => {
      metrics.inFlight += by
      count(callers, caller, by)
      if (by === 1) since = performance.now()
      else averageMs += (performance.now() - since - averageMs) / averaged
    })
    inTurn(() => {
      if (signalOf(req).aborted) return
      if (hasBody(req) && !req.complete) place.awaitBody(req)
      next()
    })
  }

  function isOverloaded(): boolean {
    const { most, least, goodMs } = limit
    return metrics.inFlight >= Math.min(most, Math.max(least, (most * goodMs) / averageMs))
  }

  /** Begins requests in the order of their arrival. */
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
    // After the microtasks of this one, whose time counts too.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (waiting.length > 0 && performance.now() < end) beginUntil(end)
      }),
    )
  }
}

/** Counts a request as in flight until its answer is made, begins to be streamed, or has nobody to go to. */
function createPlace(res: ServerResponse, change: (by: 1 | -1) => void) {
  let [isIn, isOver] = [true, false]
  change(1)
  const end = () => {
    if (isIn && !isOver) change(-1)
    isOver = true
  }
  for (const event of ['prefinish', 'pipe', 'close']) res.once(event, end)
  return {
    /** Gives the place up until all of a body has arrived: slow senders would take the places of others. */
    awaitBody(req: IncomingMessage) {
      if (isOver) return
      change(-1)
      isIn = false
      req.once('end', () => {
        if (isOver) return
        change(1)
        isIn = true
      })
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
