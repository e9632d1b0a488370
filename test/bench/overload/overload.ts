import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { makeFolder } from '../../support/cleanup.ts'
import { skillsFile } from '../../support/corpus.ts'
import { createTestDatabase, type Engine, engines } from '../../support/databases.ts'
import { declaration } from '../oauth/seed.ts'
import { pinning, runCommandOn, startBenchServer } from '../processes.ts'
import { registerOne } from '../publisher.ts'
import { printTable } from '../table.ts'
import { type Offered, offered } from './requests.ts'
import { buildStorm, canStorm, type Plan, type Seconds, type Storm, storm } from './storm.ts'

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
  if (!canStorm) return console.log('Skipped overload: gcc is not here.')
  const wants = (part: string, all: readonly string[]) =>
    !parts?.some((name) => all.includes(name)) || parts.includes(part)
  for (const engine of engines.filter((name) => wants(name, engines))) {
    const prepared = await prepareOverload(engine)
    try {
      for (const name of offeredNames.filter((one) => wants(one, offeredNames))) {
        const result = await runOverload(prepared, name)
        const perSecond = result.capacity.all.good / fullPlan.capacitySeconds
        print(`${name} on ${engine}`, result, perSecond)
      }
    } finally {
      await prepared.remove()
    }
  }
}

/** A database with some apps and the skills of the corpus, and the load generator. */
interface PreparedOverload {
  readonly folder: string
  readonly databaseUrl: string
  readonly generator: string
  readonly applied: Applied
  remove(): Promise<void>
}

async function prepareOverload(engine: Engine): Promise<PreparedOverload> {
  const folder = await makeFolder()
  const database = await createTestDatabase(engine)
  const apps = join(folder.path, 'declaration.json')
  await writeFile(apps, JSON.stringify(declaration))
  const generator = await buildStorm(folder.path)
  await runCommandOn(database.url, folder.path, 'import', skillsFile)
  const printed = await runCommandOn(database.url, folder.path, 'apply', apps, '--json')
  return {
    folder: folder.path,
    databaseUrl: database.url,
    generator,
    applied: JSON.parse(printed) as Applied,
    remove: () => database.remove().finally(folder.remove),
  }
}

/** Offers a class of requests to a server of its own. */
async function runOverload(
  { folder, databaseUrl, generator, applied }: PreparedOverload,
  name: Offered,
): Promise<Storm> {
  const env = { DATABASE_URL: databaseUrl }
  const server = await startBenchServer(folder, 'one', { env })
  try {
    const apiKey = await registerOne(server.url, `publisher-${name}`)
    return await storm(generator, server.url, offered[name]({ apiKey, applied }), fullPlan)
  } finally {
    await server.stop()
  }
}

/** What a storm came to. */
interface Outcome {
  /** Good answers of the worst second of the storm, as a share of the capacity. */
  readonly worstShare: number
  /** Of what was let in, ms. */
  readonly p99: number
  /** Seconds after the storm until nothing is refused, left or late. */
  readonly recovery: number
}

const outcomeOf = ({ storm: during, after }: Storm, perSecond: number): Outcome => ({
  worstShare: Math.min(...during.each.map(({ good }) => good)) / perSecond,
  p99: during.all.p99,
  recovery: recovery(after.each),
})

function print(title: string, result: Storm, perSecond: number) {
  const { capacity, storm: during, after } = result
  const { connections, capacitySeconds, stormSeconds, afterSeconds } = fullPlan
  const row = (when: string, it: Seconds, seconds = 1) => [
    when,
    ...[it.offered, it.good, it.refused, it.left, it.broken].map((n) => Math.round(n / seconds)),
    `${Math.round((100 * it.good) / seconds / perSecond)} %`,
    it.p50,
    it.p99,
  ]
  printTable(
    `${title} (a second; server ${pinning}, ${connections} callers at capacity)`,
    ['when', 'offered', 'good', 'refused', 'left', 'broken', 'of capacity', 'p50 ms', 'p99 ms'],
    [
      row('capacity', capacity.all, capacitySeconds),
      ...during.each.map((it, second) => row(`second ${second + 1}`, it)),
      row('all ten', during.all, stormSeconds),
      row('after', after.all, afterSeconds),
    ],
  )
  const { worstShare, p99, recovery: seconds } = outcomeOf(result, perSecond)
  const share = `${Math.round(100 * worstShare)} % of capacity in the worst second`
  console.log(`${share}, accepted p99 ${p99} ms, recovered in ${seconds} s`)
}

/** Seconds until no tenth of a second has a refusal, a caller that left, or a p99 above 500 ms. */
function recovery(tenths: readonly Seconds[]): number {
  const isBad = ({ refused, left, broken, p99 }: Seconds) =>
    refused + left + broken > 0 || p99 > 500
  return (tenths.findLastIndex(isBad) + 1) / 10
}
