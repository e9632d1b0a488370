import { parted } from '../../support/words.ts'
import { type LoadResult, median } from '../load.ts'
import { printTable } from '../table.ts'
import { type Kind, kinds, type Side, startFloor, startOurs, startPeer } from './sides.ts'
import { connections, perform } from './work.ts'

/** Short runs and many, since a ratio of neighbours says more than one of strangers. */
const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = 7
const warmUpSeconds = 2

/**
 * Tokens, rotations, introspections and authenticated reads: beside oidc-provider on a durable store,
 * and a bare Express 5 handler that answers the same bytes.
 */
export async function benchOauth(): Promise<void> {
  const ours = await startOurs()
  const peer = await startPeer()
  const rows: (string | number)[][] = []
  try {
    for (const kind of kinds) {
      const floor = await startFloor(ours, kind)
      const runs = inTurn(kind, ours, peer, floor)
      const [mine, theirs, bare] = await runs.finally(floor.stop)
      rows.push([
        kind,
        ...[mine, theirs, bare].map(middle('perSecond')),
        ...[theirs, bare].map((side) => ratio(mine, side)),
        ...[mine, theirs].flatMap((side) => [middle('p50')(side), middle('p99')(side)]),
      ])
    }
  } finally {
    await Promise.all([ours.stop(), peer.stop()])
  }
  printTable(
    `Authorization service, requests a second (${connections} clients; ours on SQLite at FULL)`,
    parted(
      'request¦skillpass¦oidc-provider¦bare express¦ratio¦to bare¦p50 ms',
      "p99 ms¦peer's p50¦p99",
    ),
    rows,
  )
  console.log(
    'oidc-provider keeps all durable in a file of SQLite at FULL; it issues ' +
      'client_credentials in place of account_credentials, and answers userinfo in place of users/me.',
  )
}

/** Runs of each side, the sides in turn, after a warm-up of each. */
async function inTurn<S extends readonly Side[]>(kind: Kind, ...sides: S) {
  const results = []
  for (const { url, work } of sides) {
    const asked = await work(kind)
    await perform(url, asked, warmUpSeconds)
    results.push({ run: () => perform(url, asked, seconds), runs: [] as LoadResult[] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { run, runs } of results) runs.push(await run())
  }
  return results.map(({ runs }) => runs) as { [I in keyof S]: LoadResult[] }
}

const middle = (figure: keyof LoadResult) => (runs: readonly LoadResult[]) =>
  median(runs.map((run) => run[figure]))

/** How many times as fast as the other, round by round. */
const ratio = (runs: readonly LoadResult[], others: readonly LoadResult[]) =>
  median(runs.map((run, round) => run.perSecond / (others[round]?.perSecond ?? Number.NaN)))
