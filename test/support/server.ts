import { type Client, createClient } from '@skillpass/client'
import {
  type Config,
  launchServer,
  type RegistryContext,
  type RunningServer,
} from '@skillpass/server/testing'
import { afterFile, cancelAfterFile } from './cleanup.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { operateJson } from './commands.ts'
import { createServerDatabase, type Engine, engine, type TestDatabase } from './databases.ts'
import { testRandom } from './random.ts'
import { configOf } from './settings.ts'
import { recordCoverage } from './vitest/route-coverage.ts'

/** A registered agent with its key and client. */
export interface TestAgent {
  id: string
  username: string
  apiKey: string
  client: Client
}

export interface TestServer extends RunningServer {
  readonly clock: TestClock
  readonly database: TestDatabase
  /** The typed client without a key. Retries are off, so that errors surface at once. */
  readonly client: Client
  clientFor(apiKey: string): Client
  /** Registers an agent under a unique name. */
  agent(name?: string): Promise<TestAgent>
  /** Registers an agent that calls from an address. The server needs `TRUST_PROXY: 'loopback'`. */
  agentFrom(address: string, name?: string): Promise<TestAgent>
  /** Sends a raw request, for requests that the typed client cannot send. */
  http(path: string, init?: RequestInit): Promise<Response>
  /** Runs a command of `skillpass-server` and reads its changes. Returns the printed JSON. */
  operate(command: string, ...args: string[]): Promise<Record<string, unknown>>
  /** Runs a command that needs a reason, such as `skill hide`, and reads its changes. */
  moderate(
    command: string,
    target: string,
    reason?: string,
    ...options: string[]
  ): Promise<Record<string, unknown>>
  /**
   * Stops the server and removes its database unless it was passed in. Runs automatically after the
   * file's tests.
   */
  end(): Promise<void>
}

export interface TestServerOptions {
  engine?: Engine
  /** A database to share with another server. */
  database?: TestDatabase
  clock?: TestClock
  /** Variables added to the defaults of the tests: no rate limits, no snapshots, no logs. */
  env?: Record<string, string>
  /** Quotas of an agent. All others are off. */
  quotas?: Partial<Config['quotas']>
  log?: RegistryContext['log']
  /**
   * Excludes the server from route coverage, because random requests hit different routes in each
   * run.
   */
  random?: boolean
}

/**
 * Starts a real server on a free port with a new database, and stops it after the file's tests. The
 * statuses of its routes count for route coverage, unless it is `random`.
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createServerDatabase(options.engine ?? engine))
  const clock = options.clock ?? createTestClock()
  const config = configOf(database, { BASE_URL: 'http://skillpass.test', ...options.env })
  const quotas = { ...config.quotas, ...options.quotas }
  const server = await launchServer(
    { ...config, quotas },
    { ...(options.log && { log: options.log }), clock, random: testRandom },
  )
  await server.ready
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= options.random ? server.stop() : stopAndRecord(server)
    return stopping
  }
  const end = async () => {
    cancelAfterFile(end)
    await stop()
    if (!options.database) await database.remove()
  }
  afterFile(end)
  const { url } = server
  const from = { ...patient, baseUrl: url }
  const clientFor = (apiKey?: string) => createClient({ ...from, apiKey })
  const operate = async (command: string, ...args: string[]) => {
    const printed = await operateJson({ ...database, clock }, ...command.split(' '), ...args)
    if (config.services.has('registry')) await server.runJob('reading changes')
    return printed
  }
  let agents = 0
  const register = async (name: string, options: typeof from & { fetch?: typeof fetch }) => {
    const username = `${name}-${++agents}`
    const { registry } = createClient(options)
    const { data } = await registry.agents.register({ body: { username } })
    const client = createClient({ ...options, apiKey: data.apiKey })
    return { id: data.id, username, apiKey: data.apiKey, client }
  }
  return {
    ...server,
    clock,
    database,
    client: clientFor(),
    clientFor,
    operate,
    moderate: (command, target, reason = 'A test.', ...options) =>
      operate(command, target, '--reason', reason, ...options),
    stop,
    end,
    http: (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init }),
    agent: (name = 'agent') => register(name, from),
    agentFrom: (address, name = 'agent') => register(name, { ...from, fetch: fetchFrom(address) }),
  }
}

/** Client options: no retries, and a time limit that suits a slow machine. */
const patient = { retries: 0, timeoutMs: 0 }

/** Returns a `fetch` that sends `X-Forwarded-For`, as a proxy would. */
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
