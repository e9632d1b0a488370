import { resolve } from 'node:path'
import { type LoadResult, load } from '../load.ts'
import { printTable } from '../table.ts'
import { acts } from './acts.ts'
import { type Nodes, startNodes } from './nodes.ts'

const connections = [1, 16, 64]
const seconds = Number(process.env.BENCH_SECONDS ?? 2)

const places = [
  { id: 'sqlite', name: 'SQLite', engine: 'sqlite', count: 1 },
  { id: 'postgres', name: 'Postgres, one node', engine: 'postgres', count: 1 },
  { id: 'postgres-2', name: 'Postgres, two nodes', engine: 'postgres', count: 2 },
] as const

/**
 * Publications, stars, feedback and tokens acknowledged a second, by how many connections ask; where
 * another checkout is named, of both in turn.
 */
export async function benchRates({ before }: { before?: string }): Promise<void> {
  const wanted = process.env.BENCH_ACTS?.split(',') ?? Object.keys(acts)
  for (const { id, name, engine, count } of places) {
    if (!(process.env.BENCH_PLACES?.split(',').includes(id) ?? true)) continue
    const now = await startNodes(engine, count, undefined)
    const former = before === undefined ? [] : [await startNodes(engine, count, resolve(before))]
    const rows: (string | number)[][] = []
    try {
      for (const act of wanted) {
        const made = [...former, now].map((nodes) => ({
          nodes,
          requests: acts[act]?.(nodes) ?? [],
        }))
        for (const { nodes, requests } of made) await ask(nodes, requests, 16)
        for (const clients of connections) {
          const results = []
          for (const { nodes, requests } of made) results.push(await ask(nodes, requests, clients))
          const [first, last] = [results[0], results.at(-1)]
          rows.push([
            act,
            clients,
            ...results.map(({ perSecond }) => perSecond),
            first && last && before ? last.perSecond / first.perSecond : '',
            ...results.map(({ p99 }) => p99),
            results.reduce((sum, { failed }) => sum + failed, 0),
          ])
        }
      }
    } finally {
      await Promise.all([...former, now].map((nodes) => nodes.stop()))
    }
    const sides = before === undefined ? ['now'] : ['before', 'now']
    printTable(
      `${name}: writes acknowledged a second`,
      ['write', 'clients', ...sides, 'ratio', ...sides.map((side) => `${side} p99 ms`), 'failed'],
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
      answered: sum.answered + one.answered,
      p50: Math.max(sum.p50, one.p50),
      p99: Math.max(sum.p99, one.p99),
      failed: sum.failed + one.failed,
    }),
  )
}
