import { credentialsOf } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { readSkills, skillsFile } from '../../support/corpus.ts'
import { createTestDatabase, engines } from '../../support/databases.ts'
import { basic } from '../../support/oauth-client.ts'
import type { LoadRequest } from '../load.ts'
import { applyAccounts, pinning, runOperator, startBenchServer } from '../processes.ts'
import { registerOne } from '../publisher.ts'
import { newTasks, requestsOf } from '../requests/read-requests.ts'
import { printTable } from '../table.ts'
import { acts } from '../writes/acts.ts'
import {
  afterSeconds,
  connections,
  countDue,
  type Seconds,
  type Storm,
  storm,
  stormSeconds,
} from './storm.ts'

/** What is offered: no answer to any of it is remembered, but for parts of pages. */
const offered = {
  resolve: () => requestsOf(newTasks()),
  page: (): LoadRequest[] =>
    readSkills().map(({ id }) => ({ path: `/${id}`, headers: { accept: 'text/html' } })),
  ...acts,
}

/**
 * Three times the capacity for ten seconds, second by second, and what comes after it. `parts` chooses
 * classes and engines.
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
      for (const [name, requests] of Object.entries(offered)) {
        if (!wants(name, Object.keys(offered))) continue
        const server = await startBenchServer(folder, { databaseUrl: database.url })
        try {
          const keys = [await registerOne(server.url, `publisher-${name}`)]
          print(`${name} on ${engine}`, await storm(server.url, requests({ keys, client })))
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

function print(title: string, { capacity, storm: during, after }: Storm) {
  const row = (when: string, it: Seconds, seconds = 1) => [
    when,
    ...[it.offered, it.good, it.refused, it.left, it.broken].map((n) => Math.round(n / seconds)),
    `${Math.round((100 * it.good) / seconds / capacity)} %`,
    it.p50,
    it.p99,
  ]
  const each = Array.from({ length: stormSeconds }, (_, second) =>
    countDue(during, second * 1000, (second + 1) * 1000),
  )
  const all = countDue(during, 0, Number.POSITIVE_INFINITY)
  printTable(
    `${title}, capacity ${Math.round(capacity)} (a second; server ${pinning}, ${connections} callers at capacity)`,
    ['when', 'offered', 'good', 'refused', 'left', 'broken', 'of capacity', 'p50 ms', 'p99 ms'],
    [
      ...each.map((it, second) => row(`second ${second + 1}`, it)),
      row('all ten', all, stormSeconds),
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

/** Seconds until no tenth of a second has a refusal, a caller that left, or a p99 above 500 ms. */
function recovery(tenths: readonly Seconds[]): number {
  const isBad = ({ refused, left, broken, p99 }: Seconds) =>
    refused + left + broken > 0 || p99 > 500
  return (tenths.findLastIndex(isBad) + 1) / 10
}
