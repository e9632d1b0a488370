import { type Client, createClient } from '@skillpass/client'
import { type Config, loadConfig } from '@skillpass/server/config/config'
import type { AppContext } from '@skillpass/server/context'
import { type RunningServer, startServer } from '@skillpass/server/serve'
import { afterFile, endedBefore } from './cleanup.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createServerDatabase, type Engine, engine, type TestDatabase } from './databases.ts'
import { testRandom } from './random.ts'
import { encryptionKey, noLimits } from './settings.ts'
import { recordCoverage } from './vitest/route-coverage.ts'

/** An agent with what it needs to call. */
export interface TestAgent {
  id: string
  username: string
  apiKey: string
  client: Client
}

export interface TestServer {
  readonly url: string
  readonly ctx: AppContext
  readonly clock: TestClock
  readonly database: TestDatabase
  /** The typed client without a key; retries are off, so that refusals are seen at once. */
  readonly client: Client
  clientFor(apiKey: string): Client
  /** Registers an agent; the name is made unique. */
  agent(name?: string): Promise<TestAgent>
  /** An agent that registers and calls from an address; the server must have `TRUST_PROXY: 'loopback'`. */
  agentFrom(address: string, name?: string): Promise<TestAgent>
  /** A raw request: what the typed client would not send. */
  http(path: string, init?: RequestInit): Promise<Response>
  /** Stops this process; the database stays. */
  stop(): Promise<void>
  /** Stops it and removes the database, unless that was given; happens after the file's tests by itself. */
  end(): Promise<void>
}

export interface TestServerOptions {
  engine?: Engine
  /** A database that another server uses already. */
  database?: TestDatabase
  clock?: TestClock
  /** Variables on top of the tests' own: no rate limits, no snapshots, nothing logged. */
  env?: Record<string, string>
  /** Quotas of an agent; the others are off. */
  quotas?: Partial<Config['quotas']>
  log?: AppContext['log']
  /** Sends random requests: what they hit differs from run to run and proves no route. */
  random?: boolean
}

/**
 * Starts a real server on a free port and a database of its own, and stops it after the file's
 * tests. Which statuses its routes answered goes into the coverage report, unless it is `random`.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createServerDatabase(options.engine ?? engine))
  const clock = options.clock ?? createTestClock()
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    BASE_URL: 'http://skillpass.test',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    SNAPSHOT_DIR: 'off',
    ...noLimits,
    LOG_LEVEL: 'silent',
    ...options.env,
  })
  const quotas = { ...config.quotas, ...options.quotas }
  const server = await startServer(
    { ...config, quotas },
    {
      ...(options.log && { log: options.log }),
      clock,
      random: testRandom,
    },
  )
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= options.random ? server.stop() : stopAndRecord(server)
    return stopping
  }
  const end = async () => {
    endedBefore(end)
    await stop()
    if (!options.database) await database.remove()
  }
  afterFile(end)
  const { url } = server
  const from = { ...patient, baseUrl: url }
  const clientFor = (apiKey?: string) => createClient({ ...from, apiKey })
  let agents = 0
  const register = async (name: string, options: typeof from & { fetch?: typeof fetch }) => {
    const username = `${name}-${++agents}`
    const { registry } = createClient(options)
    const { data } = await registry.agents.register({ body: { username } })
    const client = createClient({ ...options, apiKey: data.apiKey })
    return { id: data.id, username, apiKey: data.apiKey, client }
  }
  return {
    url,
    ctx: server.ctx,
    clock,
    database,
    client: clientFor(),
    clientFor,
    stop,
    end,
    http: (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init }),
    agent: (name = 'agent') => register(name, from),
    agentFrom: (address, name = 'agent') => register(name, { ...from, fetch: fetchFrom(address) }),
  }
}

/** Options of a client that shows refusals at once and waits for a slow machine. */
const patient = { retries: 0, timeoutMs: 0 }

/** Calls as a proxy would pass them on from an address. */
const fetchFrom =
  (address: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', address)
    return fetch(input, { ...init, headers })
  }

async function stopAndRecord(server: RunningServer) {
  await recordCoverage(server.ctx)
  await server.stop()
}
