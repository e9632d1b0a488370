import { Agent, type IncomingMessage, request } from 'node:http'
import { closedLoop, percentiles } from '../closed-loop.ts'
import type { LoadRequest } from '../load.ts'
import { besideServers } from '../processes.ts'

/** Numbers of requests by outcome, and latencies, in a period. */
export interface Outcomes {
  readonly offered: number
  /** Responses with 2xx within 2 s. */
  readonly good: number
  /** Responses with 503. */
  readonly refused: number
  /** Requests without a response within 2 s. */
  readonly timedOut: number
  /** Responses with another status, and connection errors. */
  readonly failed: number
  /** Time from when a good request was due to its response, ms. */
  readonly p50: number
  readonly p99: number
}

/** Connections of the closed loop that measures the capacity. */
export const connections = 64
const warmUpSeconds = 5
const capacitySeconds = 3
const factor = 3
export const overloadSeconds = 10
export const afterSeconds = 4

type Outcome = 'good' | 'refused' | 'timedOut' | 'failed'

interface Answered {
  /** When the request was due, ms after the start of the phase. */
  readonly due: number
  readonly ms: number
  readonly outcome: Outcome
}

const timeoutMs = 2_000

/**
 * Sends requests to a server at its capacity, in good responses per second, then at three times and
 * at half of it.
 */
export function offerLoad(url: string, requests: readonly LoadRequest[]) {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16_000 })
  let next = 0
  const send = () => sendRequest(agent, url, requests[next++ % requests.length] as LoadRequest)
  const isGood = async () => (await send()) === 'good'
  return besideServers(async () => {
    await closedLoop({ connections, seconds: warmUpSeconds }, isGood)
    const atCapacity = { connections, seconds: capacitySeconds }
    const { perSecond, failed } = await closedLoop(atCapacity, isGood)
    const capacity = perSecond - failed / capacitySeconds
    const during = await openLoop(send, capacity * factor, overloadSeconds)
    const after = await openLoop(send, capacity / 2, afterSeconds)
    return { capacity, overload: await Promise.all(during), after: await Promise.all(after) }
  }).finally(() => agent.destroy())
}

/**
 * Sends requests at a fixed rate, regardless of responses. Measures latency from when a request was
 * due, so that a late generator does not shorten it.
 */
async function openLoop(send: () => Promise<Outcome>, perSecond: number, seconds: number) {
  const start = performance.now()
  const sent: Promise<Answered>[] = []
  const count = Math.floor(perSecond * seconds)
  while (sent.length < count) {
    const due = (sent.length * 1000) / perSecond
    if (performance.now() - start < due) await new Promise((resolve) => setTimeout(resolve, 1))
    else {
      const answeredWith = (outcome: Outcome) => ({
        due,
        ms: performance.now() - start - due,
        outcome,
      })
      sent.push(send().then(answeredWith))
      // Let responses arrive even if the loop is late.
      if (sent.length % 32 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return sent
}

/** Sends a request and aborts it after 2 s. */
function sendRequest(
  agent: Agent,
  url: string,
  { path, method, headers, createPath, body }: LoadRequest,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => end('timedOut'), timeoutMs)
    const options = { agent, method, headers }
    const sent = request(url + (createPath?.() ?? path), options, (response: IncomingMessage) => {
      const { statusCode: status = 0 } = response
      response.resume()
      response.once('error', () => end('failed'))
      response.once('end', () =>
        end(status === 503 ? 'refused' : status >= 200 && status < 300 ? 'good' : 'failed'),
      )
    })
    const end = (outcome: Outcome) => {
      clearTimeout(timeout)
      if (outcome === 'timedOut') sent.destroy()
      resolve(outcome)
    }
    sent.once('error', () => end('failed'))
    sent.end(body?.())
  })
}

/** Counts the outcomes of the requests that were due in a period, ms. */
export function countDue(answered: readonly Answered[], from: number, to: number): Outcomes {
  const own = answered.filter(({ due }) => due >= from && due < to)
  const count = (outcome: Outcome) => own.filter((one) => one.outcome === outcome)
  return {
    offered: own.length,
    good: count('good').length,
    refused: count('refused').length,
    timedOut: count('timedOut').length,
    failed: count('failed').length,
    ...percentiles(count('good').map(({ ms }) => ms)),
  }
}
