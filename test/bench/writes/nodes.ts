import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/operator/apply/apply'
import { makeFolder } from '../../support/cleanup.ts'
import { createPostgres, dropPostgres, postgresUrl } from '../../support/postgres.ts'
import { declaration } from '../oauth/seed.ts'
import { basic } from '../oauth/work.ts'
import { type BenchServer, runCommandOn, startBenchServer } from '../processes.ts'
import { skill } from '../publisher.ts'

/** Servers over one database, and what their clients come with. */
export interface Nodes {
  readonly urls: readonly string[]
  /** API keys of agents. */
  readonly keys: readonly string[]
  /** Ids of skills, none of them of those agents. */
  readonly skills: readonly string[]
  /** Header of a client that gets tokens for itself. */
  readonly client: string
  stop(): Promise<void>
}

const agents = 32
const skills = 200
/** Requests in flight while nodes are made ready. */
const atOnce = 16

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
  const keys = await each(agents, (i) => register(first, `starrer-${i}`))
  const owner = await register(first, 'publisher')
  return {
    urls,
    keys,
    skills: await each(skills, (i) => publish(first, owner, i)),
    client: basic(bot.production.clientId, bot.production.clientSecret ?? ''),
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await folder.remove()
      if (name !== undefined) await dropPostgres(name)
    },
  }
}

async function each<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let start = 0; start < count; start += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - start) }, (_, i) => start + i)
    made.push(...(await Promise.all(some.map(make))))
  }
  return made
}

const register = async (url: string, username: string) =>
  (await post<{ apiKey: string }>(`${url}/api/v1/agents/register`, { username })).apiKey

const publish = async (url: string, key: string, serial: number) =>
  (await post<{ id: string }>(`${url}/api/v1/skills`, skill(`seed-${serial}`), key)).id

async function post<T>(url: string, body: unknown, key?: string): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { data: T }).data
}
