import { credentialsOf } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { readSkills, skillsFile } from '../../support/corpus.ts'
import { createTestDatabase, engines } from '../../support/databases.ts'
import { basic } from '../../support/oauth-client.ts'
import { splitAtBars } from '../../support/words.ts'
import type { LoadRequest } from '../load.ts'
import { applyAccounts, pinning, runOperator, startBenchServer } from '../processes.ts'
import { registerOne } from '../publisher.ts'
import { newTasks, requestsOf } from '../requests/read-requests.ts'
import { printTable } from '../table.ts'
import { writeRequests } from '../writes/write-requests.ts'
import {
  afterSeconds,
  connections,
  countDue,
  type Outcomes,
  offerLoad,
  overloadSeconds,
} from './offer-load.ts'

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
