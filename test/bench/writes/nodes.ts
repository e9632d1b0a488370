import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { credentialsOf } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { basic } from '../../support/oauth-client.ts'
import { createPostgres, dropPostgres, postgresUrl } from '../../support/postgres.ts'
import { applyAccounts, type BenchServer, databaseIn, startBenchServer } from '../processes.ts'
import { registerOne } from '../publisher.ts'
import type { Credentials } from './write-requests.ts'

/** Servers on one database, and the credentials of their clients. */
export interface Nodes extends Credentials {
  readonly urls: readonly string[]
  stop(): Promise<void>
}

const agents = 32

/** Starts one node on SQLite, or `count` nodes on a Postgres database with durable commits. */
export async function startNodes(engine: 'sqlite' | 'postgres', count: number): Promise<Nodes> {
  const folder = await makeFolder()
  const name = engine === 'postgres' ? await createPostgres() : undefined
  const databaseUrl = name === undefined ? databaseIn(folder.path) : postgresUrl(name)
  const applied = await applyAccounts(databaseUrl, folder.path)
  const servers: BenchServer[] = []
  for (let i = 0; i < count; i++) {
    const own = join(folder.path, String(i))
    await mkdir(own)
    servers.push(await startBenchServer(own, { databaseUrl, isPinned: false }))
  }
  const urls = servers.map(({ url }) => url)
  const [first = ''] = urls
  const keys = await Promise.all(
    Array.from({ length: agents }, (_, i) => registerOne(first, `publisher-${i}`)),
  )
  return {
    urls,
    keys,
    client: basic(credentialsOf(applied, 'Helper bot')),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await folder.remove()
      if (name !== undefined) await dropPostgres(name)
    },
  }
}
