import { type LoadResult, load } from '../load.ts'
import { printTable } from '../table.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { writeRequests } from './write-requests.ts'

const connections = [1, 16, 64]
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
        await loadAll(nodes, requests, 16)
        for (const clients of connections) {
          const { perSecond, p99, failed } = await loadAll(nodes, requests, clients)
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

/** Sends requests to all nodes at once, each over its share of the connections. */
async function loadAll({ urls }: Nodes, requests: Parameters<typeof load>[1], clients: number) {
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
