import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createTestDatabase } from '../support/databases.ts'
import { runAsScript } from '../support/script.ts'
import { startProcess } from '../support/server-process.ts'

/** A request that is not answered within this time has been given up, ms. */
const patienceMs = 2000

interface Figures {
  sent: number
  /** Answered with 200 in time. */
  good: number
  /** Refused with 429 or 503. */
  shed: number
  failed: number
  seconds: number
  p50: number
  p99: number
}

/** One request over a kept connection; the status, or 0 when none came in time. */
function ask(agent: Agent, url: string): Promise<{ status: number; ms: number }> {
  const started = performance.now()
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - started })
    const req = request(url, { agent, timeout: patienceMs }, (res) => {
      res.resume()
      res.once('end', () => done(res.statusCode ?? 0))
      res.once('error', () => done(0))
    })
    req.once('timeout', () => req.destroy())
    req.once('error', () => done(0))
    req.end()
  })
}

const figures = (answers: { status: number; ms: number }[], seconds: number): Figures => {
  const good = answers.filter(({ status, ms }) => status === 200 && ms <= patienceMs)
  const times = good.map(({ ms }) => ms).sort((a, b) => a - b)
  const shed = answers.filter(({ status }) => status === 429 || status === 503).length
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? Number.NaN)
  return {
    sent: answers.length,
    good: good.length,
    shed,
    failed: answers.length - good.length - shed,
    seconds,
    p50: at(0.5),
    p99: at(0.99),
  }
}

/** What the server does when each client waits for its answer before it asks again. */
async function closedLoop(url: string, clients: number, seconds: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const end = performance.now() + seconds * 1000
  const answers: { status: number; ms: number }[] = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) answers.push(await ask(agent, url))
    }),
  )
  agent.destroy()
  return figures(answers, seconds)
}

/** What it does when requests come at `rate` per second, whether it keeps up or not. */
async function openLoop(url: string, rate: number, seconds: number): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
  const running: Promise<{ status: number; ms: number }>[] = []
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) {
    const due = Math.floor(((performance.now() - started) / 1000) * rate)
    while (running.length < due) running.push(ask(agent, url))
    await pause(2)
  }
  const answers = await Promise.all(running)
  agent.destroy()
  return figures(answers, seconds)
}

/**
 * Measures what a server does at three times its capacity: goodput, the time of accepted answers,
 * and how long it takes to be itself again.
 */
export async function overload(seconds: number) {
  const database = await createTestDatabase('sqlite')
  const server = await startProcess({ databaseUrl: database.url })
  try {
    const url = `${server.url}/api/v1/skills/search?q=nothing`
    await closedLoop(url, 32, 2)
    const alone = await closedLoop(url, 32, 3)
    const capacity = alone.good / alone.seconds
    const during = await openLoop(url, 3 * capacity, seconds)
    const ended = performance.now()
    let recoveryMs = Number.POSITIVE_INFINITY
    const agent = new Agent({ keepAlive: true })
    while (performance.now() - ended < 20_000) {
      const { status, ms } = await ask(agent, url)
      if (status === 200 && ms < 20) {
        recoveryMs = performance.now() - ended
        break
      }
    }
    agent.destroy()
    return {
      'capacity, answers/s': Math.round(capacity),
      'p99 at capacity, ms': alone.p99,
      'offered, requests/s': Math.round(during.sent / seconds),
      'goodput, share of capacity': Math.round((100 * during.good) / seconds / capacity) / 100,
      'accepted p50, ms': during.p50,
      'accepted p99, ms': during.p99,
      shed: during.shed,
      failed: during.failed,
      'recovery, ms': Math.round(recoveryMs),
      alive: server.isAlive(),
    }
  } finally {
    await server.end('SIGKILL')
    await database.remove()
  }
}

runAsScript(import.meta.url, async () => {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } })
  console.log('three times the capacity:', await overload(Number(values.seconds)))
})
