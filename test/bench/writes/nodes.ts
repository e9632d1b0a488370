import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { makeFolder } from '../../support/cleanup.ts'
import { createPostgres, dropPostgres, postgresUrl } from '../../support/postgres.ts'
import { declaration } from '../oauth/seed.ts'
import { basic } from '../oauth/work.ts'
import { type BenchServer, runCommandOn, startBenchServer } from '../processes.ts'
import { registerOne } from '../publisher.ts'

/** Servers over one database, and what their clients come with. */
export interface Nodes {
  readonly urls: readonly string[]
  /** API keys of agents. */
  readonly keys: readonly string[]
  /** Header of a client that gets tokens for itself. */
  readonly client: string
  stop(): Promise<void>
}

const agents = 32

/** Starts as many nodes as wanted: one on SQLite, or some on one Postgres, which waits for its disk. */
export async function startNodes(engine: 'sqlite' | 'postgres', count: number): Promise<Nodes> {
  const folder = await makeFolder()
  const name = engine === 'postgres' ? await createPostgres() : undefined
  const databaseUrl =
    name === undefined ? `file:${join(folder.path, 'skillpass.db')}` : postgresUrl(name)
  const file = join(folder.path, 'declaration.json')
  await writeFile(file, JSON.stringify(declaration))
  const printed = await runCommandOn(databaseUrl, folder.path, 'apply', file, '--json')
  const bot = (JSON.parse(printed) as Applied).apps.find((app) => app.name === 'Helper bot')
  if (!bot) throw new Error('the declaration was not applied')
  const servers: BenchServer[] = []
  for (let i = 0; i < count; i++) {
    const own = join(folder.path, String(i))
    await mkdir(own)
    servers.push(await startBenchServer(own, 'any', { databaseUrl }))
  }
  const urls = servers.map(({ url }) => url)
  const [first = ''] = urls
  const keys = await Promise.all(
    Array.from({ length: agents }, (_, i) => registerOne(first, `publisher-${i}`)),
  )
  return {
    urls,
    keys,
    client: basic(bot.production.clientId, bot.production.clientSecret ?? ''),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await folder.remove()
      if (name !== undefined) await dropPostgres(name)
    },
  }
}
