import { type LoadResult, load } from '../load.ts'
import { printTable } from '../table.ts'
import { acts } from './acts.ts'
import { type Nodes, startNodes } from './nodes.ts'

const connections = [1, 16, 64]
const seconds = Number(process.env.BENCH_SECONDS ?? 2)

const places = [
  { name: 'SQLite', engine: 'sqlite', count: 1 },
  { name: 'Postgres, one node', engine: 'postgres', count: 1 },
  { name: 'Postgres, two nodes', engine: 'postgres', count: 2 },
] as const

/** Publications and tokens acknowledged a second, by connections. */
export async function benchWrites(): Promise<void> {
  for (const { name, engine, count } of places) {
    const nodes = await startNodes(engine, count)
    const rows: (string | number)[][] = []
    try {
      for (const [act, requestsOf] of Object.entries(acts)) {
        const requests = requestsOf(nodes)
        await ask(nodes, requests, 16)
        for (const clients of connections) {
          const { perSecond, p99, failed } = await ask(nodes, requests, clients)
          rows.push([act, clients, perSecond, p99, failed])
        }
      }
    } finally {
      await nodes.stop()
    }
    printTable(
      `${name}: writes acknowledged a second`,
      ['write', 'clients', 'a second', 'p99 ms', 'failed'],
      rows,
    )
  }
}

/** Loads all nodes at once, with a share of the connections each. */
async function ask({ urls }: Nodes, requests: Parameters<typeof load>[1], clients: number) {
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
