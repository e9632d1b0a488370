import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Context } from '../context/context.ts'
import { createOutage } from '../runtime/outage.ts'
import { isGone, setCaller } from '../runtime/patience.ts'
import { createGate, type Gate, type Patience } from './gate.ts'
import { classOf, type LoadClass, loadClasses } from './load-class.ts'
import { refuse } from './refusals.ts'
import { createTurnClock } from './turn-clock.ts'

/** Lets requests in as long as they can be answered in time, before anything is done for them. */
export interface Admission {
  /** Whether a request is let in; one that is not has its answer already. */
  admits(req: IncomingMessage, res: ServerResponse): boolean
  stop(): void
}

/** The wait of each class. Where a password is hashed a person waits, who does not send again so soon. */
const patience: Readonly<Record<LoadClass, Patience>> = {
  page: { target: 40, longest: 1000 },
  read: { target: 50, longest: 1000 },
  ranking: { target: 60, longest: 1000 },
  write: { target: 80, longest: 2000 },
  token: { target: 80, longest: 2000 },
  password: { target: 1500, longest: 6000 },
}

/** What is read later in a turn of the event loop is refused, ms: it and the next turn would take too long. */
const longestTurn = 120

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
  if (!config.controlsAdmission) return { admits: () => true, stop: () => {} }
  const turns = createTurnClock()
  const gates = new Map(
    loadClasses.map((name) => [name, createGate(patience[name], Math.random)] as const),
  )
  /** Refusals since the last sample, which are counted and not logged one by one. */
  const refused = new Map<LoadClass, number>()
  const overload = createOutage(log, 'overloaded: requests are refused', 'no longer overloaded')
  let calm = 0
  let before = performance.eventLoopUtilization()
  const timer = setInterval(sample, sampleMs).unref()

  return {
    admits(req, res) {
      const name = classOf(req)
      const gate = name && gates.get(name)
      if (!gate) return true
      const waited = turns.read()
      if (waited > longestTurn || !gate.admits(turns.turn)) {
        refused.set(name, (refused.get(name) ?? 0) + 1)
        refuse(req, res, Math.random)
        return false
      }
      gate.read(waited)
      follow(gate, patience[name].longest, { req, res, arrived: performance.now() - waited })
      return true
    },
    stop: () => clearInterval(timer),
  }

  function sample(): void {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    for (const [name, gate] of gates) {
      gate.sample(utilization > busyShare)
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

interface Admitted {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly arrived: number
}

/** Follows a request until it is answered, and says to what works for it whether it still waits. */
function follow(gate: Gate, longest: number, { req, res, arrived }: Admitted): void {
  let isIn = false
  let isOver = false
  const enter = () => {
    if (isOver) return
    isIn = true
    gate.enter()
  }
  // Not before its body is here: slow senders would take the places of others.
  if (hasBody(req)) req.once('end', enter)
  else enter()
  const leave = () => {
    if (isOver) return
    isOver = true
    if (isIn) gate.leave(performance.now() - arrived)
  }
  // As soon as the answer is made: slow readers would take the places of others.
  res.once('prefinish', leave)
  res.once('close', leave)
  setCaller(req, {
    hasLeft() {
      const waited = performance.now() - arrived
      gate.begin(waited)
      return waited > longest || isGone(req)
    },
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')
