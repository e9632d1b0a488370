import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { makeFolder } from '../../support/cleanup.ts'
import { runCommand, startBenchServer, startScript } from '../processes.ts'
import { declaration, schedulerUser, seedTokens } from './seed.ts'
import {
  basic,
  form,
  introspections,
  type Pair,
  reads,
  rotations,
  sampleOf,
  type Work,
} from './work.ts'

/** What is asked of every side. */
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
  work(kind: Kind): Promise<Work>
  stop(): Promise<void>
}

/** Different tokens that are asked about. */
const variety = 400

/** The built server. */
export async function startOurs(): Promise<Side> {
  const folder = await makeFolder()
  const file = join(folder.path, 'declaration.json')
  await writeFile(file, JSON.stringify(declaration))
  const applied = JSON.parse(await runCommand(folder.path, 'apply', file, '--json')) as Applied
  const owner = schedulerUser(applied)
  const pairs = seedTokens(join(folder.path, 'skillpass.db'), owner, variety)
  const { url, stop } = await startBenchServer(folder.path)
  const scheduler = basicOf(applied, 'Scheduler')
  const ofAccount = `grant_type=account_credentials&account_id=${owner.accountId}`
  const work: Record<Kind, Work> = {
    client_credentials: form(
      '/oauth/token',
      basicOf(applied, 'Helper bot'),
      'grant_type=client_credentials',
    ),
    account_credentials: form('/oauth/token', basicOf(applied, 'Reporter'), ofAccount),
    'refresh rotation': rotations('/oauth/token', scheduler, pairs),
    introspection: introspections('/oauth/introspect', scheduler, pairs),
    'GET /v2/users/me': reads('/v2/users/me', pairs),
  }
  return { url, work: async (kind) => work[kind], stop: () => stop().finally(folder.remove) }
}

/** oidc-provider, which does the nearest that it has, durable on a file of SQLite. */
export async function startPeer(): Promise<Side> {
  const folder = await makeFolder()
  const file = join(folder.path, 'peer.db')
  const { url, stop } = await startScript('oauth/oidc-peer.js', file)
  const client = basic('bench', 'bench-secret')
  const issue = form('/token', client, 'grant_type=client_credentials')
  const seed = async () => (await (await fetch(`${url}/seed?tokens=${variety}`)).json()) as Pair[]
  const work: Record<Kind, () => Promise<Work>> = {
    client_credentials: async () => issue,
    account_credentials: async () => issue,
    'refresh rotation': async () => rotations('/token', client, await seed()),
    introspection: async () => introspections('/token/introspection', client, await seed()),
    'GET /v2/users/me': async () => reads('/me', await seed()),
  }
  return { url, work: (kind) => work[kind](), stop: () => stop().finally(folder.remove) }
}

/** A bare Express 5 handler that answers a kind of request with the bytes that a side answers. */
export async function startFloor({ url, work }: Side, kind: Kind): Promise<Side> {
  const folder = await makeFolder()
  const file = join(folder.path, 'answers.json')
  const asked = await work(kind)
  await writeFile(file, JSON.stringify([await sampleOf(url, asked)]))
  const floor = await startScript('requests/bare-express.js', file)
  const copy = asked.tokens ? { ...asked, tokens: [...asked.tokens] } : asked
  return {
    url: floor.url,
    work: async () => copy,
    stop: () => floor.stop().finally(folder.remove),
  }
}

function basicOf({ apps }: Applied, name: string): string {
  const { clientId, clientSecret } = apps.find((app) => app.name === name)?.production ?? {}
  if (!clientId || !clientSecret) throw new Error(`${name} has no secret to use`)
  return basic(clientId, clientSecret)
}
