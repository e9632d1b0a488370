import { splitAtBars } from '../../support/words.ts'
import { type LoadResult, median } from '../load.ts'
import { printTable } from '../table.ts'
import { startOurs, startPeer } from './sides.ts'
import { connections, type Kind, kinds } from './work.ts'

/** Short runs and many, since a ratio of neighbours says more than one of strangers. */
const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = 7
const warmUpSeconds = 2

/** Tokens and rotations, beside oidc-provider on a durable store. */
export async function benchOauth(): Promise<void> {
  const ours = await startOurs()
  const peer = await startPeer()
  const rows: (string | number)[][] = []
  try {
    for (const kind of kinds) {
      const [mine, theirs] = await runInTurn(kind, [ours, peer])
      rows.push([
        kind,
        ...[mine, theirs].map(middle('perSecond')),
        median(mine.map((run, round) => run.perSecond / (theirs[round]?.perSecond ?? Number.NaN))),
        ...[mine, theirs].flatMap((runs) => [middle('p50')(runs), middle('p99')(runs)]),
      ])
    }
  } finally {
    await Promise.all([ours.stop(), peer.stop()])
  }
  printTable(
    `Authorization service, requests a second (${connections} clients; ours on SQLite at FULL)`,
    splitAtBars("request¦skillpass¦oidc-provider¦ratio¦p50 ms¦p99 ms¦peer's p50¦p99"),
    rows,
  )
  console.log('oidc-provider keeps all durable in a file of SQLite at FULL.')
}

type Side = Pick<Awaited<ReturnType<typeof startOurs>>, 'url' | 'work'>

/** Runs of both sides in turn, after a warm-up of each. Throws if a request fails. */
async function runInTurn(kind: Kind, sides: readonly [Side, Side]) {
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

const middle = (figure: keyof LoadResult) => (runs: readonly LoadResult[]) =>
  median(runs.map((run) => run[figure]))
