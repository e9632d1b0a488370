import type { IncomingMessage, ServerResponse } from 'node:http'
import { bounds, oauthContract, registryContract } from '@skillpass/contract'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Context } from '../context/context.ts'
import { Failure } from '../errors/failure.ts'
import { clientAddress } from '../limits/client-address.ts'
import { count } from '../runtime/count.ts'
import { createOutage } from '../runtime/outage.ts'
import { signalOf } from '../runtime/request-signal.ts'
import { allowAnyOrigin } from './cors.ts'
import type { Dialect } from './dialect.ts'
import { type ErrorPages, neverBegan, wantsPage } from './errors.ts'
import { lingerForBody } from './linger.ts'
import type { Service } from './service.ts'

/** Requests in flight beyond which callers with many are refused: fewer once one has waited `lateMs` to begin. */
const most = { inFlight: 256, whenLate: 64, lateMs: 500 }

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

/** Operators and load balancers ask here. */
const neverRefused = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  registryContract.health.check.path,
])

/** Who words a refusal. */
interface Wording {
  readonly services: readonly Service[]
  /** The dialect of addresses that no service owns. */
  readonly otherwise: Dialect
  readonly pages: Pick<ErrorPages, 'isPage'>
}

export interface LoadShedder {
  /** Notes that a connection was accepted. */
  connected(): void
  /** Middleware that begins a request when it is its turn, or refuses it. */
  shedLoad(wording: Wording): RequestHandler
}

/**
 * Refuses requests while too many are in flight. A caller, that is a client address, with
 * fewer than `alwaysServed` in flight is never refused, however slow the machine is.
 */
export function createLoadShedder({ log, metrics }: Pick<Context, 'log' | 'metrics'>): LoadShedder {
  const callers = new Map<string, number>()
  const waiting: { readonly since: number; begin(): void }[] = []
  let [refusals, isTurnUsed] = [0, false]
  let [isConnecting, connectingSince] = [false, 0]
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  const calm = setTimeout(overload.worked, calmMs).unref()

  return {
    connected() {
      isConnecting = true
    },
    shedLoad: (wording) => (req, res, next) => admit(wording, req, res, next),
  }

  function admit(wording: Wording, req: Request, res: Response, next: NextFunction): void {
    if (neverRefused.has(req.path)) {
      next()
      return
    }
    const caller = clientAddress(req)
    if (isOverloaded() && (callers.get(caller) ?? 0) >= alwaysServed) {
      metrics.refused.inc()
      overload.failed({})
      calm.refresh()
      void refuse(req, res, wording, 1 + (refusals++ % 3))
      return
    }
    const place = createPlace(res, (by) => {
      metrics.inFlight += by
      count(callers, caller, by)
    })
    inTurn(() => {
      if (signalOf(req).aborted) return
      if (hasBody(req) && !req.complete) place.awaitBody(req)
      next()
    })
  }

  function isOverloaded(): boolean {
    const [first] = waiting
    const isLate = first !== undefined && performance.now() - first.since > most.lateMs
    return metrics.inFlight >= (isLate ? most.whenLate : most.inFlight)
  }

  /** Begins requests in the order of their arrival. */
  function inTurn(begin: () => void): void {
    if (isTurnUsed) return void waiting.push({ since: performance.now(), begin })
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
    waiting.shift()?.begin()
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

/** Answers 503 as the service of the address words it. */
async function refuse(req: Request, res: Response, wording: Wording, retryAfter: number) {
  const { services, otherwise, pages } = wording
  const service = services.find(({ owns }) => owns(req.path))
  res.setHeaders(
    new Map([['Retry-After', String(retryAfter)], [...neverBegan], ['Cache-Control', 'no-store']]),
  )
  // Nothing in it is of anybody, and scripts are to see when to come back.
  const isOpen = service?.name !== 'oauth' || req.path === oauthContract.metadata.path
  if (isOpen) allowAnyOrigin(req, res, () => {})
  // A body that is long is not waited for.
  if (!(Number(req.headers['content-length'] ?? 0) <= bounds.requestBytes))
    res.shouldKeepAlive = false
  await lingerForBody(req, res)
  res.status(503)
  if (wantsPage(req, service, pages)) return void res.type('html').send(pageAfter(retryAfter))
  res.json((service?.dialect ?? otherwise)(new Failure(503, { retryAfter })).body)
}

const pageAfter = (seconds: number) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Back in a moment (503) · Skillpass</title></head><body><main><h1>Back in a moment</h1><p>Skillpass has more to do than it can right now. Try again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.</p></main></body></html>`
