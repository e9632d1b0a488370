import { Agent, type IncomingMessage, request } from 'node:http'
import { closedLoop, percentiles } from '../closed-loop.ts'
import type { LoadRequest } from '../load.ts'
import { besideServers } from '../processes.ts'

/** What became of the requests of a second, or of a tenth of one. */
export interface Seconds {
  readonly offered: number
  /** Answered with 2xx before their callers left. */
  readonly good: number
  /** Answered with 503. */
  readonly refused: number
  /** Not answered when their callers left, after 2 s. */
  readonly left: number
  /** Answered otherwise, or cut off. */
  readonly broken: number
  /** Time from when a good one was due to its answer, ms. */
  readonly p50: number
  readonly p99: number
}

/** A closed loop, an open loop at three times its rate, and one at half of it. */
export interface Storm {
  /** Good answers a second. */
  readonly capacity: number
  readonly storm: readonly Answered[]
  readonly after: readonly Answered[]
}

/** Callers who wait for an answer before the next request while the capacity is measured. */
export const connections = 64
const warmUpSeconds = 5
const capacitySeconds = 3
const factor = 3
export const stormSeconds = 10
export const afterSeconds = 4

type Outcome = 'good' | 'refused' | 'left' | 'broken'

interface Answered {
  /** When it was due, ms after the phase began. */
  readonly due: number
  readonly ms: number
  readonly outcome: Outcome
}

const patienceMs = 2_000

/** Sends the requests in turn to a server, at capacity, then at a multiple of it, then at half. */
export function storm(url: string, requests: readonly LoadRequest[]): Promise<Storm> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16_000 })
  let next = 0
  const send = () => ask(agent, url, requests[next++ % requests.length] as LoadRequest)
  const isGood = async () => (await send()) === 'good'
  return besideServers(async () => {
    await closedLoop({ connections, seconds: warmUpSeconds }, isGood)
    const atCapacity = { connections, seconds: capacitySeconds }
    const { perSecond, failed } = await closedLoop(atCapacity, isGood)
    const capacity = perSecond - failed / capacitySeconds
    const during = await openLoop(send, capacity * factor, stormSeconds)
    const after = await openLoop(send, capacity / 2, afterSeconds)
    return { capacity, storm: await Promise.all(during), after: await Promise.all(after) }
  }).finally(() => agent.destroy())
}

/**
 * Sends at a rate whether answers come or not. Latency counts from when a request was due, so a
 * generator that is late does not flatter the server.
 */
async function openLoop(send: () => Promise<Outcome>, perSecond: number, seconds: number) {
  const start = performance.now()
  const sent: Promise<Answered>[] = []
  const count = Math.floor(perSecond * seconds)
  while (sent.length < count) {
    const due = (sent.length * 1000) / perSecond
    if (performance.now() - start < due) await new Promise((resolve) => setTimeout(resolve, 1))
    else {
      const noted = (outcome: Outcome) => ({ due, ms: performance.now() - start - due, outcome })
      sent.push(send().then(noted))
      // A loop that is late still lets answers come in.
      if (sent.length % 32 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return sent
}

/** Sends one request; its caller leaves after 2 s. */
function ask(
  agent: Agent,
  url: string,
  { path, method, headers, anew, body }: LoadRequest,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => end('left'), patienceMs)
    const options = { agent, method, headers }
    const sent = request(url + (anew?.() ?? path), options, (answer: IncomingMessage) => {
      const { statusCode: status = 0 } = answer
      answer.resume()
      answer.once('error', () => end('broken'))
      answer.once('end', () =>
        end(status === 503 ? 'refused' : status >= 200 && status < 300 ? 'good' : 'broken'),
      )
    })
    const end = (outcome: Outcome) => {
      clearTimeout(patience)
      if (outcome === 'left') sent.destroy()
      resolve(outcome)
    }
    sent.once('error', () => end('broken'))
    sent.end(body?.())
  })
}

/** What became of the requests that were due from one time until another, ms. */
export function countDue(answered: readonly Answered[], from: number, to: number): Seconds {
  const own = answered.filter(({ due }) => due >= from && due < to)
  const count = (outcome: Outcome) => own.filter((one) => one.outcome === outcome)
  return {
    offered: own.length,
    good: count('good').length,
    refused: count('refused').length,
    left: count('left').length,
    broken: count('broken').length,
    ...percentiles(count('good').map(({ ms }) => ms)),
  }
}
