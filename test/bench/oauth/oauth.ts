import { join } from 'node:path'
import { credentialsOf, password } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { authorizeQuery, basic, exchange, serverAt, tokensOf } from '../../support/oauth-client.ts'
import { signIn } from '../../support/people.ts'
import { splitAtBars } from '../../support/words.ts'
import { closedLoop } from '../closed-loop.ts'
import { type LoadResult, load, median } from '../load.ts'
import { applyAccounts, databaseIn, startBenchServer, startScript } from '../processes.ts'
import { printTable } from '../table.ts'

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

/** Number of connections, each with a refresh token. */
const connections = 32

/** Starts the built server. */
async function startOurs() {
  const folder = await makeFolder()
  const applied = await applyAccounts(databaseIn(folder.path), folder.path)
  const { url, stop } = await startBenchServer(folder.path)
  const scheduler = credentialsOf(applied, 'Scheduler')
  const server = serverAt(url)
  const session = await signIn(server, { email: 'member@acme.test', password })
  const path = `/oauth/authorize?${authorizeQuery(scheduler)}`
  const refreshTokens: string[] = []
  while (refreshTokens.length < connections) {
    const { headers } = await session.fill(path, '/oauth/consent', { decision: 'allow' })
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
    refreshTokens.push(tokensOf(await exchange(server, scheduler, code)).refresh_token)
  }
  const client = basic(credentialsOf(applied, 'Helper bot'))
  const work = tokenWork('/oauth/token', { client, refreshing: basic(scheduler), refreshTokens })
  return { url, work, stop: () => stop().finally(folder.remove) }
}

/** Starts oidc-provider with an SQLite store. */
async function startPeer() {
  const folder = await makeFolder()
  const { url, stop } = await startScript('oauth/oidc-peer.js', join(folder.path, 'peer.db'))
  const client = basic({ clientId: 'bench', clientSecret: 'bench-secret' })
  const seeded = await fetch(`${url}/seed?tokens=${connections}`)
  const work = tokenWork('/token', { client, refreshTokens: (await seeded.json()) as string[] })
  return { url, work, stop: () => stop().finally(folder.remove) }
}

/** Creates the token requests to a path, by kind. Requires a refresh token per connection. */
function tokenWork(
  path: string,
  {
    client,
    refreshing = client,
    refreshTokens,
  }: { client: string; refreshing?: string; refreshTokens: string[] },
) {
  const post = (authorization: string) =>
    ({
      path,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    }) as const
  const issue = { ...post(client), body: () => 'grant_type=client_credentials' }
  const { method, headers } = post(refreshing)
  return {
    client_credentials: (url: string, seconds: number) =>
      load(url, [issue], { connections, seconds }),
    'refresh rotation': (url: string, seconds: number) =>
      closedLoop({ connections, seconds }, async (send, connection) => {
        const body = `grant_type=refresh_token&refresh_token=${refreshTokens[connection]}`
        const { status, text } = await send(url + path, { method, headers }, body)
        if (status !== 200) return false
        refreshTokens[connection] = JSON.parse(text).refresh_token
        return true
      }),
  }
}
