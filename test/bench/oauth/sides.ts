import { join } from 'node:path'
import { accountOf, callback, credentialsOf, password } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { basic, exchange, serverAt, tokensOf } from '../../support/oauth-client.ts'
import { authorizeCode, signIn } from '../../support/people.ts'
import { applyAccounts, databaseIn, startBenchServer, startScript } from '../processes.ts'
import { form, introspections, type Pair, reads, rotations, type Work } from './work.ts'

/** What is asked of both sides. */
export const kinds = [
  'client_credentials',
  'account_credentials',
  'refresh rotation',
  'introspection',
  'GET /v2/users/me',
] as const
export type Kind = (typeof kinds)[number]

/** A server to compare, and its part of the work. */
export interface Side {
  readonly url: string
  readonly work: Readonly<Record<Kind, Work>>
  stop(): Promise<void>
}

/** Grants whose tokens are used. */
const variety = 64

/** The built server. */
export async function startOurs(): Promise<Side> {
  const folder = await makeFolder()
  const applied = await applyAccounts(databaseIn(folder.path), folder.path)
  const { url, stop } = await startBenchServer(folder.path)
  const scheduler = credentialsOf(applied, 'Scheduler')
  const server = serverAt(url)
  const session = await signIn(server, { email: 'member@acme.test', password })
  const asked = { client_id: scheduler.clientId, redirect_uri: callback }
  const pairs: Pair[] = []
  while (pairs.length < variety) {
    const { code } = await authorizeCode(session, asked)
    pairs.push(tokensOf(await exchange(server, scheduler, code)))
  }
  const as = (name: string) => basic(credentialsOf(applied, name))
  const account = `grant_type=account_credentials&account_id=${accountOf(applied, 'Acme').id}`
  const work = {
    client_credentials: form('/oauth/token', as('Helper bot'), 'grant_type=client_credentials'),
    account_credentials: form('/oauth/token', as('Reporter'), account),
    'refresh rotation': rotations('/oauth/token', basic(scheduler), pairs),
    introspection: introspections('/oauth/introspect', basic(scheduler), pairs),
    'GET /v2/users/me': reads('/v2/users/me', pairs),
  }
  return { url, work, stop: () => stop().finally(folder.remove) }
}

/** oidc-provider, which does the nearest that it has, durable on a file of SQLite. */
export async function startPeer(): Promise<Side> {
  const folder = await makeFolder()
  const { url, stop } = await startScript('oauth/oidc-peer.js', join(folder.path, 'peer.db'))
  const client = basic({ clientId: 'bench', clientSecret: 'bench-secret' })
  const issue = form('/token', client, 'grant_type=client_credentials')
  const pairs = (await (await fetch(`${url}/seed?tokens=${variety}`)).json()) as Pair[]
  const work = {
    client_credentials: issue,
    account_credentials: issue,
    'refresh rotation': rotations('/token', client, pairs),
    introspection: introspections('/token/introspection', client, pairs),
    'GET /v2/users/me': reads('/me', pairs),
  }
  return { url, work, stop: () => stop().finally(folder.remove) }
}
