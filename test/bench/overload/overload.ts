import { credentialsOf } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { readSkills, skillsFile } from '../../support/corpus.ts'
import { createTestDatabase, engines } from '../../support/databases.ts'
import { basic } from '../../support/oauth-client.ts'
import { splitAtBars } from '../../support/words.ts'
import { closedLoop, percentiles } from '../closed-loop.ts'
import type { LoadRequest } from '../load.ts'
import {
  applyAccounts,
  besideServers,
  pinning,
  registerOne,
  runOperator,
  startBenchServer,
} from '../processes.ts'
import { newTasks, requestsOf } from '../requests/read-requests.ts'
import { printTable } from '../table.ts'
import { writeRequests } from '../writes/rates.ts'
import { createRawClient, type Outcome } from './raw-client.ts'

/** Requests by class. Responses are not cached, except parts of pages. */
const requestClasses = {
  resolve: () => requestsOf(newTasks()),
  page: (): LoadRequest[] =>
    readSkills().map(({ id }) => ({ path: `/${id}`, headers: { accept: 'text/html' } })),
  ...writeRequests,
}

/**
 * Offers three times the server's capacity for ten seconds, then half of it. Prints each second and
 * the recovery. `parts` selects request classes and database engines.
 */
export async function benchOverload(parts?: readonly string[]): Promise<void> {
  const wants = (part: string, all: readonly string[]) =>
    !parts?.some((name) => all.includes(name)) || parts.includes(part)
  for (const engine of engines.filter((name) => wants(name, engines))) {
    const { path: folder, remove } = await makeFolder()
    const database = await createTestDatabase(engine)
    try {
      await runOperator(database.url, 'import', skillsFile)
      const applied = await applyAccounts(database.url, folder)
      const client = basic(credentialsOf(applied, 'Helper bot'))
      for (const [name, requests] of Object.entries(requestClasses)) {
        if (!wants(name, Object.keys(requestClasses))) continue
        const server = await startBenchServer(folder, { databaseUrl: database.url })
        try {
          const keys = [await registerOne(server.url, `publisher-${name}`)]
          print(`${name} on ${engine}`, await offerLoad(server.url, requests({ keys, client })))
        } finally {
          await server.stop()
        }
      }
    } finally {
      await database.remove()
      await remove()
    }
  }
}

function print(
  title: string,
  { capacity, overload: during, after }: Awaited<ReturnType<typeof offerLoad>>,
) {
  const row = (when: string, it: Outcomes, seconds = 1) => [
    when,
    ...[it.offered, it.good, it.refused, it.timedOut, it.failed].map((n) =>
      Math.round(n / seconds),
    ),
    `${Math.round((100 * it.good) / seconds / capacity)} %`,
    it.p50,
    it.p99,
  ]
  const each = Array.from({ length: overloadSeconds }, (_, second) =>
    countDue(during, second * 1000, (second + 1) * 1000),
  )
  const all = countDue(during, 0, Number.POSITIVE_INFINITY)
  printTable(
    `${title}, capacity ${Math.round(capacity)} (per second; server ${pinning}, ${connections} clients at capacity)`,
    splitAtBars('when¦offered¦good¦refused¦timed out¦failed¦of capacity¦p50 ms¦p99 ms'),
    [
      ...each.map((it, second) => row(`second ${second + 1}`, it)),
      row('all seconds', all, overloadSeconds),
      row('after', countDue(after, 0, Number.POSITIVE_INFINITY), afterSeconds),
    ],
  )
  const worst = Math.min(...each.slice(1).map(({ good }) => good)) / capacity
  const share = `${Math.round(100 * worst)} % of capacity in the worst second after the first`
  const tenths = Array.from({ length: afterSeconds * 10 }, (_, tenth) =>
    countDue(after, tenth * 100, (tenth + 1) * 100),
  )
  console.log(
    `${share}, accepted p99 ${Math.round(all.p99)} ms, recovered in ${recovery(tenths)} s`,
  )
}

/**
 * Returns the seconds until every tenth of a second has only good responses and a p99 up to 500 ms.
 */
function recovery(tenths: readonly Outcomes[]): number {
  const isBad = ({ refused, timedOut, failed, p99 }: Outcomes) =>
    refused + timedOut + failed > 0 || p99 > 500
  return (tenths.findLastIndex(isBad) + 1) / 10
}

/** Numbers of requests by outcome, and latencies, in a period. */
interface Outcomes {
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
const connections = 64
const warmUpSeconds = 5
const capacitySeconds = 3
const factor = 3
const overloadSeconds = 10
const afterSeconds = 4

interface Answered {
  /** When the request was due, ms after the start of the phase. */
  readonly due: number
  readonly ms: number
  readonly outcome: Outcome
}

/**
 * Sends requests to a server at its capacity, in good responses per second, then at three times and
 * at half of it.
 */
function offerLoad(url: string, requests: readonly LoadRequest[]) {
  const client = createRawClient(url)
  let next = 0
  const send = () => client.send(requests[next++ % requests.length] as LoadRequest)
  const isGood = async () => (await send()) === 'good'
  return besideServers(async () => {
    await closedLoop({ connections, seconds: warmUpSeconds }, isGood)
    const atCapacity = { connections, seconds: capacitySeconds }
    const { perSecond, failed } = await closedLoop(atCapacity, isGood)
    const capacity = perSecond - failed / capacitySeconds
    const during = await openLoop(send, capacity * factor, overloadSeconds)
    const after = await openLoop(send, capacity / 2, afterSeconds)
    return { capacity, overload: await Promise.all(during), after: await Promise.all(after) }
  }).finally(client.close)
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

/** Counts the outcomes of the requests that were due in a period, ms. */
function countDue(answered: readonly Answered[], from: number, to: number): Outcomes {
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
