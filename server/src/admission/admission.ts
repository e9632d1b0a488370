import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from '../context/context.ts'
import { clientAddress } from '../limits/client-address.ts'
import { count } from '../runtime/count.ts'
import { createOutage } from '../runtime/outage.ts'
import { signalOf } from '../runtime/request-signal.ts'
import { createLine } from './line.ts'
import { classOf, type LoadClass, loadClasses } from './load-class.ts'
import { refuse } from './refusals.ts'

/** Refuses requests of callers who have many in flight while too many wait, before any work is done for them. */
export interface Admission {
  /** Begins a request when it is its turn, or refuses it. */
  admit(req: IncomingMessage, res: ServerResponse, begin: () => void): void
  /** Notes that a connection was accepted. */
  connected(): void
  stop(): void
}

/** Requests of a class in flight up to which even callers with many of them are served. */
const mostOfClass = 256

/** Requests of a caller in flight that are always served. */
const alwaysServed = 8

const sampleMs = 100

/** Samples without a refusal after which an overload is over: 5 s. */
const calmSamples = 50

export function createAdmission({
  config,
  log,
  metrics,
}: Pick<Context, 'config' | 'log' | 'metrics'>): Admission {
  if (!config.controlsAdmission) {
    return { admit: (_req, _res, begin) => begin(), connected: () => {}, stop: () => {} }
  }
  const line = createLine()
  const inFlight = {
    class: new Map<LoadClass, number>(),
    caller: new Map<string, number>(),
    connection: new Map<Socket, number>(),
  }
  /** Refusals since the last sample, which are counted and not logged one by one. */
  const refused = new Map<LoadClass, number>()
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  let calm = 0
  const timer = setInterval(sample, sampleMs).unref()

  return {
    admit(req, res, begin) {
      const name = classOf(req)
      if (!name) return begin()
      const caller = clientAddress(req)
      const { socket } = req
      if (isTooMany(name, caller, socket)) {
        count(refused, name, 1)
        return refuse(req, res, Math.random)
      }
      const place = (by: 1 | -1) => {
        count(inFlight.class, name, by)
        count(inFlight.caller, caller, by)
      }
      count(inFlight.connection, socket, 1)
      const begins = follow(req, res, place, () => count(inFlight.connection, socket, -1))
      line.join(name, () => begins() && begin())
    },
    connected: line.connected,
    stop: () => clearInterval(timer),
  }

  /** Whether a request is one too many. One connection that sends without waiting has no more than a caller. */
  function isTooMany(name: LoadClass, caller: string, socket: Socket): boolean {
    if ((inFlight.connection.get(socket) ?? 0) >= alwaysServed) return true
    const isFull = (inFlight.class.get(name) ?? 0) >= mostOfClass
    return isFull && (inFlight.caller.get(caller) ?? 0) >= alwaysServed
  }

  function sample(): void {
    for (const name of loadClasses) {
      metrics.inFlight.set({ class: name }, inFlight.class.get(name) ?? 0)
    }
    for (const [name, times] of refused) metrics.refused.inc({ class: name }, times)
    calm = refused.size > 0 ? 0 : calm + 1
    if (refused.size > 0) overload.failed({ classes: [...refused.keys()] })
    else if (calm >= calmSamples) overload.worked()
    refused.clear()
  }
}

/**
 * Gives a request its place until it is answered or gone, and calls `onEnd` then. Returns what says, when
 * it is its turn, whether its client is still there.
 */
function follow(
  req: IncomingMessage,
  res: ServerResponse,
  place: (by: 1 | -1) => void,
  onEnd: () => void,
): () => boolean {
  let [isIn, isOver] = [true, false]
  place(1)
  const end = () => {
    if (isOver) return
    isOver = true
    if (isIn) place(-1)
    onEnd()
  }
  // As soon as the answer is made, or begins to be streamed: slow readers would take the places of others.
  res.once('prefinish', end)
  res.once('pipe', end)
  res.once('close', end)

  /** Slow senders take no place until all is here. */
  function awaitBody(): void {
    isIn = false
    place(-1)
    req.once('end', () => {
      if (isOver) return
      isIn = true
      place(1)
    })
  }
  return () => {
    if (signalOf(req).aborted) return false
    if (!isOver && hasBody(req) && !req.complete) awaitBody()
    return true
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')
