import { parted } from '../../support/words.ts'
import { type LoadResult, median } from '../load.ts'
import { printTable } from '../table.ts'
import { type Kind, kinds, type Side, startFloor, startOurs, startPeer } from './sides.ts'
import { connections, perform } from './work.ts'

/** Live access tokens in the database: few, and many. */
const few = Number(process.env.BENCH_FEW_TOKENS ?? 10_000)
const many = Number(process.env.BENCH_MANY_TOKENS ?? 5_000_000)
/** Short runs and many, since a ratio of neighbours says more than one of strangers. */
const seconds = Number(process.env.BENCH_SECONDS ?? 1)
const rounds = 7
const warmUpSeconds = 2

/**
 * Tokens, rotations, introspections and authenticated reads: beside oidc-provider, in memory and
 * durable, and a bare Express 5 handler that answers the same bytes; then with few and
 * with many live tokens in the database.
 */
export async function benchOauth(): Promise<void> {
  await comparePeers()
  await compareSizes()
}

async function comparePeers() {
  const ours = await startOurs(few)
  const peer = await startPeer('memory')
  const durable = await startPeer('file')
  const rows: (string | number)[][] = []
  try {
    for (const kind of kinds) {
      const floor = await startFloor(ours, kind)
      const runs = inTurn(kind, ours, peer, durable, floor)
      const [mine, theirs, kept, bare] = await runs.finally(floor.stop)
      rows.push([
        kind,
        ...[mine, theirs, kept, bare].map(middle('perSecond')),
        ...[theirs, kept, bare].map((side) => ratio(mine, side)),
        ...[mine, theirs].flatMap((side) => [middle('p50')(side), middle('p99')(side)]),
      ])
    }
  } finally {
    await Promise.all([ours.stop(), peer.stop(), durable.stop()])
  }
  printTable(
    `Authorization service, requests a second (${connections} clients; ours on SQLite at FULL)`,
    parted(
      'request¦skillpass¦oidc-provider¦durable¦bare express¦ratio¦to durable¦to bare¦p50 ms',
      "p99 ms¦peer's p50¦p99",
    ),
    rows,
  )
  console.log(
    'oidc-provider keeps all in memory, or durable in a file of SQLite at FULL; it issues ' +
      'client_credentials in place of account_credentials, and answers userinfo in place of users/me.',
  )
}

async function compareSizes() {
  const small = await startOurs(few)
  const large = await startOurs(many)
  const rows: (string | number)[][] = []
  try {
    for (const kind of kinds) {
      const [before, after] = await inTurn(kind, small, large)
      const percent = 100 * (ratio(after, before) - 1)
      rows.push([
        kind,
        ...[before, after].map(middle('perSecond')),
        `${percent.toFixed(1)} %`,
        ...[before, after].map(middle('p50')),
        ...[before, after].map(middle('p99')),
      ])
    }
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
  const [less, more] = [few, many].map((count) => count.toLocaleString('en'))
  printTable(
    `The same with ${less} and with ${more} live access tokens, requests a second`,
    ['request', 'few', 'many', 'difference', 'p50 few', 'many', 'p99 few', 'many'],
    rows,
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
