import type { Applied } from '@skillpass/server/operator/apply/apply'
import { makeFolder } from '../../support/cleanup.ts'
import { skillsFile } from '../../support/corpus.ts'
import { createTestDatabase, type Engine, engines } from '../../support/databases.ts'
import { applyAccounts, pinning, runOperator, startBenchServer } from '../processes.ts'
import { registerOne } from '../publisher.ts'
import { printTable } from '../table.ts'
import { type Offered, offered } from './requests.ts'
import { countDue, type Plan, type Seconds, type Storm, storm } from './storm.ts'

/** Three times the capacity, for ten seconds. */
const fullPlan: Plan = {
  connections: 64,
  warmUpSeconds: 5,
  capacitySeconds: 3,
  factor: 3,
  stormSeconds: 10,
  afterSeconds: 4,
}

const offeredNames = Object.keys(offered).filter(isOffered)

function isOffered(name: string): name is Offered {
  return name in offered
}

/**
 * Three times the capacity for ten seconds, second by second, and what comes after it. `parts` chooses
 * classes and engines.
 */
export async function benchOverload(parts?: readonly string[]): Promise<void> {
  const wants = (part: string, all: readonly string[]) =>
    !parts?.some((name) => all.includes(name)) || parts.includes(part)
  for (const engine of engines.filter((name) => wants(name, engines))) {
    const prepared = await prepareOverload(engine)
    try {
      for (const name of offeredNames.filter((one) => wants(one, offeredNames))) {
        print(`${name} on ${engine}`, await runOverload(prepared, name))
      }
    } finally {
      await prepared.remove()
    }
  }
}

/** A database with some apps and the skills of the corpus. */
interface PreparedOverload {
  readonly folder: string
  readonly databaseUrl: string
  readonly applied: Applied
  remove(): Promise<void>
}

async function prepareOverload(engine: Engine): Promise<PreparedOverload> {
  const folder = await makeFolder()
  const database = await createTestDatabase(engine)
  await runOperator(database.url, 'import', skillsFile)
  return {
    folder: folder.path,
    databaseUrl: database.url,
    applied: await applyAccounts(database.url, folder.path),
    remove: () => database.remove().finally(folder.remove),
  }
}

/** Offers a class of requests to a server of its own. */
async function runOverload(
  { folder, databaseUrl, applied }: PreparedOverload,
  name: Offered,
): Promise<Storm> {
  const server = await startBenchServer(folder, { databaseUrl })
  try {
    const apiKey = await registerOne(server.url, `publisher-${name}`)
    return await storm(server.url, offered[name]({ apiKey, applied }), fullPlan)
  } finally {
    await server.stop()
  }
}

function print(title: string, { capacity, storm: during, after }: Storm) {
  const { connections, stormSeconds, afterSeconds } = fullPlan
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
