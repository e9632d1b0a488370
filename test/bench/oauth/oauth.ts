import { splitAtBars } from '../../support/words.ts'
import { type LoadResult, median } from '../load.ts'
import { printTable } from '../table.ts'
import { connections, startOurs, startPeer } from './sides.ts'

// Many short runs, because ratios of consecutive runs vary less.
const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = 7
const warmUpSeconds = 2

/** Compares token requests and refresh token rotation with oidc-provider on a durable store. */
export async function benchOauth(): Promise<void> {
  const server = await startOurs()
  const peer = await startPeer()
  const rows: (string | number)[][] = []
  try {
    for (const kind of ['client_credentials', 'refresh rotation'] as const) {
      const [ours, peers] = await runInTurn(kind, [server, peer])
      rows.push([
        kind,
        ...[ours, peers].map(medianOf('perSecond')),
        median(ours.map((run, round) => run.perSecond / (peers[round]?.perSecond ?? Number.NaN))),
        ...[ours, peers].flatMap((runs) => [medianOf('p50')(runs), medianOf('p99')(runs)]),
      ])
    }
  } finally {
    await Promise.all([server.stop(), peer.stop()])
  }
  printTable(
    `Authorization service, requests per second (${connections} clients, both on SQLite with synchronous = FULL)`,
    splitAtBars('request¦skillpass¦oidc-provider¦ratio¦p50 ms¦p99 ms¦peer p50 ms¦peer p99 ms'),
    rows,
  )
}

type Side = Pick<Awaited<ReturnType<typeof startOurs>>, 'url' | 'work'>

/** Measures both sides alternately after a warm-up. Throws if a request fails. */
async function runInTurn(kind: keyof Side['work'], sides: readonly [Side, Side]) {
  const runs: [LoadResult[], LoadResult[]] = [[], []]
  for (const { url, work } of sides) await work[kind](url, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    for (const [i, { url, work }] of sides.entries()) {
      const run = await work[kind](url, seconds)
      if (run.failed > 0) throw new Error(`${run.failed} requests of ${kind} to ${url} failed`)
      runs[i]?.push(run)
    }
  }
  return runs
}

const medianOf = (figure: keyof LoadResult) => (runs: readonly LoadResult[]) =>
  median(runs.map((run) => run[figure]))
