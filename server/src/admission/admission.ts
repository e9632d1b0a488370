import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Context } from '../context/context.ts'
import { createOutage } from '../runtime/outage.ts'
import { isGone, setCaller } from '../runtime/patience.ts'
import { createGate, type Gate, type Patience } from './gate.ts'
import { createLine } from './line.ts'
import { classOf, type LoadClass, loadClasses } from './load-class.ts'
import { refuse } from './refusals.ts'

/** Lets requests in as long as they can be answered in time, before anything is done for them. */
export interface Admission {
  /** Begins a request when it is its turn; one that is not let in is answered here. */
  admit(req: IncomingMessage, res: ServerResponse, begin: () => void): void
  /** Notes that a connection was accepted. */
  connected(): void
  stop(): void
}

/** The wait of each class. Where a password is hashed a person waits, who does not send again so soon. */
const patience: Readonly<Record<LoadClass, Patience>> = {
  page: { target: 100, longest: 400 },
  read: { target: 120, longest: 400 },
  ranking: { target: 150, longest: 400 },
  write: { target: 150, longest: 400 },
  token: { target: 150, longest: 400 },
  password: { target: 1500, longest: 6000 },
}

/** Most requests of one connection in flight: one that sends without waiting takes no more places (RFC 9112 §9.3.2). */
const mostOfConnection = 8

const sampleMs = 100

/** Share of a sample that the event loop must have worked to count as busy. */
const busyShare = 0.85

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
  const gates = new Map(
    loadClasses.map((name) => [name, createGate(patience[name], Math.random)] as const),
  )
  /** Refusals since the last sample, which are counted and not logged one by one. */
  const refused = new Map<LoadClass, number>()
  const carried = new WeakMap<Socket, number>()
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  let calm = 0
  let [before, sampled] = [performance.eventLoopUtilization(), performance.now()]
  const timer = setInterval(sample, sampleMs).unref()

  return {
    admit(req, res, begin) {
      const name = classOf(req)
      const gate = name && gates.get(name)
      if (!gate) return begin()
      const { socket } = req
      const before = carried.get(socket) ?? 0
      if (before >= mostOfConnection || !gate.admits()) {
        count(name)
        return refuse(req, res, Math.random)
      }
      carried.set(socket, before + 1)
      const { longest } = patience[name]
      const visit = follow(gate, longest, { req, res }, (isDropped) => {
        carried.set(socket, (carried.get(socket) ?? 1) - 1)
        if (isDropped) count(name)
      })
      line.join(name, () => {
        if (visit.begins()) begin()
        else if (!isGone(req)) refuse(req, res, Math.random)
      })
    },
    connected: line.connected,
    stop: () => clearInterval(timer),
  }

  function count(name: LoadClass): void {
    refused.set(name, (refused.get(name) ?? 0) + 1)
  }

  function sample(): void {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const seconds = (performance.now() - sampled) / 1000
    sampled += seconds * 1000
    for (const [name, gate] of gates) {
      gate.sample(utilization > busyShare, seconds)
      metrics.inFlight.set({ class: name }, gate.inFlight)
      metrics.refusalProbability.set({ class: name }, gate.probability)
      metrics.wait.set({ class: name }, gate.wait / 1000)
    }
    for (const [name, count] of refused) metrics.refused.inc({ class: name }, count)
    calm = refused.size > 0 ? 0 : calm + 1
    if (refused.size > 0) overload.failed({ classes: [...refused.keys()] })
    else if (calm >= calmSamples) overload.worked()
    refused.clear()
  }
}

interface Visit {
  /** Whether its work may begin: its client is there, and has not waited too long. */
  begins(): boolean
}

/**
 * Follows a request until it is answered, and says to what works for it whether it still waits. `onEnd` is
 * told when it is answered or gone, and whether it was dropped for having waited too long.
 */
function follow(
  gate: Gate,
  longest: number,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  onEnd: (isDropped: boolean) => void,
): Visit {
  let arrived = performance.now()
  /** Until the last queue began its work. */
  let waited = 0
  let [isIn, isOver, isDropped] = [true, false, false]
  gate.enter()
  const end = () => {
    if (isOver) return
    isOver = true
    gate.waited(waited)
    if (isIn) gate.leave(!isDropped && !isGone(req))
    onEnd(isDropped)
  }
  // As soon as the answer is made, or begins to be streamed: slow readers would take the places of others.
  res.once('prefinish', end)
  res.once('pipe', end)
  res.once('close', end)
  const hasLeft = () => {
    waited = performance.now() - arrived
    isDropped ||= waited > longest
    return isDropped || isGone(req)
  }
  setCaller(req, { hasLeft })

  /** Slow senders take no place, and their time counts from when all is here. */
  function awaitBody(): void {
    isIn = false
    gate.leave(false)
    req.once('end', () => {
      if (isOver) return
      isIn = true
      arrived = performance.now()
      gate.enter()
    })
  }
  return {
    begins() {
      if (hasLeft()) return false
      if (hasBody(req) && !req.complete) awaitBody()
      return true
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')
