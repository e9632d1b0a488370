import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { credentialsOf } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { basic } from '../../support/oauth-client.ts'
import { createPostgres, dropPostgres, postgresUrl } from '../../support/postgres.ts'
import { type LoadRequest, type LoadResult, load } from '../load.ts'
import {
  applyAccounts,
  type BenchServer,
  databaseIn,
  registerOne,
  skill,
  startBenchServer,
} from '../processes.ts'
import { printTable } from '../table.ts'

const connections = [1, 16, 64]
const agents = 32
const seconds = Number(process.env.BENCH_SECONDS ?? 2)

const places = [
  { name: 'SQLite', engine: 'sqlite', count: 1 },
  { name: 'Postgres, one node', engine: 'postgres', count: 1 },
  { name: 'Postgres, two nodes', engine: 'postgres', count: 2 },
] as const

/** Measures acknowledged publications and token responses per second, by number of connections. */
export async function benchWrites(): Promise<void> {
  for (const { name, engine, count } of places) {
    const nodes = await startNodes(engine, count)
    const rows: (string | number)[][] = []
    try {
      for (const [kind, requestsOf] of Object.entries(writeRequests)) {
        const requests = requestsOf(nodes)
        await loadAll(nodes.urls, requests, 16)
        for (const clients of connections) {
          const { perSecond, p99, failed } = await loadAll(nodes.urls, requests, clients)
          rows.push([kind, clients, perSecond, p99, failed])
        }
      }
    } finally {
      await nodes.stop()
    }
    printTable(
      `${name}: acknowledged writes per second`,
      ['write', 'clients', 'per second', 'p99 ms', 'failed'],
      rows,
    )
  }
}

/** Starts one node on SQLite, or `count` nodes on a Postgres database with durable commits. */
async function startNodes(engine: 'sqlite' | 'postgres', count: number) {
  const folder = await makeFolder()
  const name = engine === 'postgres' ? await createPostgres() : undefined
  const databaseUrl = name === undefined ? databaseIn(folder.path) : postgresUrl(name)
  const applied = await applyAccounts(databaseUrl, folder.path)
  const servers: BenchServer[] = []
  for (let i = 0; i < count; i++) {
    const own = join(folder.path, String(i))
    await mkdir(own)
    servers.push(await startBenchServer(own, { databaseUrl, isPinned: false }))
  }
  const urls = servers.map(({ url }) => url)
  const [first = ''] = urls
  const keys = await Promise.all(
    Array.from({ length: agents }, (_, i) => registerOne(first, `publisher-${i}`)),
  )
  return {
    urls,
    keys,
    client: basic(credentialsOf(applied, 'Helper bot')),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await folder.remove()
      if (name !== undefined) await dropPostgres(name)
    },
  }
}

/** Sends requests to all nodes at once, each over its share of the connections. */
async function loadAll(
  urls: readonly string[],
  requests: Parameters<typeof load>[1],
  clients: number,
) {
  const share = Math.max(1, Math.floor(clients / urls.length))
  const all = await Promise.all(
    urls.map((url) => load(url, requests, { connections: share, seconds })),
  )
  return all.reduce(
    (sum, one): LoadResult => ({
      perSecond: sum.perSecond + one.perSecond,
      p50: Math.max(sum.p50, one.p50),
      p99: Math.max(sum.p99, one.p99),
      failed: sum.failed + one.failed,
    }),
  )
}

/** Credentials of the clients. */
export interface Credentials {
  /** API keys of agents. */
  readonly keys: readonly string[]
  /** `Authorization` header of an app that uses the client credentials grant. */
  readonly client: string
}

/** Number of published skills, which makes each slug unique. */
let serial = 0

const json = { 'content-type': 'application/json' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Creates the requests of each kind of write. */
export const writeRequests = {
  publish: ({ keys }: Credentials): LoadRequest[] =>
    keys.map((key) => ({
      method: 'POST',
      path: '/api/v1/skills',
      headers: { ...json, ...bearer(key) },
      body: () => JSON.stringify(skill(++serial)),
    })),
  token: ({ client }: Credentials): LoadRequest[] => [
    {
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: client, 'content-type': 'application/x-www-form-urlencoded' },
      body: () => 'grant_type=client_credentials',
    },
  ],
}
