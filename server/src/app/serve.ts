import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LRUCache } from 'lru-cache'
import { createFailedSignIns } from '../audit/failed-sign-ins.ts'
import { type Catalogue, createCatalogue, type RegistryContext } from '../catalogue/catalogue.ts'
import { createCounters } from '../catalogue/counters.ts'
import { createReadmes, createSignatures } from '../catalogue/text-caches.ts'
import { openDatabase } from '../db/open.ts'
import { createCallLog } from '../http/call-log.ts'
import { registryDialect } from '../http/dialects.ts'
import { refuseBrokenRequest } from '../http/errors.ts'
import { createLoadShedder } from '../http/load-shedder.ts'
import { messageClasses } from '../http/messages.ts'
import type { Service } from '../http/service.ts'
import type { Config } from '../runtime/config/config.ts'
import { createMemoryLimiter } from '../runtime/limits/rate-limiter.ts'
import { createLog } from '../runtime/log.ts'
import { createMetrics, noteOutages } from '../runtime/metrics.ts'
import { openObjects } from '../runtime/object-store.ts'
import { createFetchJson } from '../runtime/outbound/fetch-json.ts'
import { createSteps } from '../runtime/steps.ts'
import { createSteadyNow, systemClock } from '../runtime/time.ts'
import { createPasswords } from '../secrets/passwords.ts'
import { systemRandom } from '../secrets/random.ts'
import type { Sender } from '../webhooks/sender.ts'
import { createApp } from './app.ts'
import { openEncryption } from './encryption-key.ts'
import { startServing } from './start.ts'

/** A server that is listening. It may still be starting. */
export interface RunningServer {
  readonly ctx: RegistryContext
  /** The address with the actual port, even if port 0 was configured. */
  readonly url: string
  /**
   * Resolves when everything is served. Rejects if the start fails, after stopping the server.
   * Never settles if the server is stopped earlier.
   */
  readonly ready: Promise<void>
  /** Runs a periodic job of `jobs.ts` now, or all, once the server is ready. Throws its error. */
  runJob(name?: string): Promise<void>
  /** The sender of webhooks, once the server is ready; undefined without this service. */
  sender(): Promise<Sender | undefined>
  /** Forgets what is in memory and reads the catalogue anew, after a change of the database. */
  reload(): Promise<void>
  /** Lets running requests finish, writes counters and a snapshot, and closes. */
  stop(): Promise<void>
}

/** Dependencies that tests replace. */
export type Overrides = Partial<
  Pick<
    RegistryContext,
    'clock' | 'random' | 'log' | 'passwords' | 'limiter' | 'intercept' | 'observe'
  >
> & {
  /** A further service. */
  readonly addService?: ((ctx: RegistryContext) => Service) | undefined
}

/**
 * Starts a server. Resolves as soon as it listens. It returns 503 until the database is
 * migrated; the registry, until the catalogue is loaded.
 */
export async function launchServer(
  config: Config,
  overrides: Overrides = {},
): Promise<RunningServer> {
  const parts = await createContext(config, overrides)
  let catalogue = createCatalogue(parts.steps)
  const ctx: RegistryContext = {
    ...parts,
    get catalogue() {
      return catalogue
    },
  }
  const server = makeServer(ctx, overrides.addService?.(ctx))
  await listen(server, config).catch(async (error: unknown) => {
    await close(ctx)
    throw error
  })
  const stopping = new AbortController()
  const setCatalogue = (loaded: Catalogue) => {
    catalogue = loaded
  }
  const starting = startServing(ctx, setCatalogue, stopping.signal)
  const end = async () => {
    ctx.readiness.waits.add('draining')
    stopping.abort()
    const deadline = AbortSignal.timeout(snapshotTime)
    const closing = closeServer(server)
    const background = await starting.catch(() => {})
    await background?.stop(deadline, closing)
    await closing
    await close(ctx)
    ctx.log.flush()
  }
  let ended: Promise<void> | undefined
  const stop = () => {
    ended ??= end()
    return ended
  }
  const ready = starting
    .then(() => stopping.signal.throwIfAborted())
    .catch(async (error: unknown) => {
      if (stopping.signal.aborted) return new Promise<void>(() => {})
      await stop()
      throw error
    })
  return {
    ctx,
    url: urlOf(server, config.host),
    ready,
    runJob: async (name) => (await starting).runJob(name),
    sender: async () => (await starting).sender,
    async reload() {
      const [former, { reload }] = [catalogue, await starting]
      ctx.counters.forget()
      ctx.refusedClients.clear()
      await reload()
      // Responses are cached until this number changes.
      catalogue.changes += former.changes + 1
      former.index.close()
    },
    stop,
  }
}

async function close({ catalogue, limiter, db }: RegistryContext) {
  catalogue.index.close()
  await limiter.close()
  await db.close()
}

async function createContext(
  config: Config,
  overrides: Overrides,
): Promise<Omit<RegistryContext, 'catalogue'>> {
  const { clock = systemClock, random = systemRandom, log = createLog(config) } = overrides
  const metrics = createMetrics()
  const db = await openDatabase(config.databaseUrl, {
    log,
    noteOutage: noteOutages(metrics, 'postgres'),
    poolSize: config.databasePoolSize,
    waitMs: databaseWait,
  })
  const encryption = await openEncryption(config, random).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  return {
    config,
    clock,
    random,
    steadyNow: createSteadyNow(clock),
    log,
    db,
    encryption,
    passwords: overrides.passwords ?? createPasswords(random),
    steps: createSteps(),
    metrics,
    readiness: { waits: new Set(['migrations', 'catalogue']) },
    limiter: overrides.limiter ?? (await openLimiter(config, { clock, random, log, metrics })),
    readmes: createReadmes(),
    objects: openObjects(config, random),
    signatures: createSignatures(),
    counters: createCounters({ db, clock, encryption }),
    refusedClients: new LRUCache({ max: 10_000 }),
    address: '',
    network: null,
    trace: null,
    failedSignIns: createFailedSignIns({ db, clock, random }),
    calls: createCallLog({ db, clock, random }),
    intercept: overrides.intercept,
    observe: overrides.observe,
    validating: new Set(),
    fetchJson: createFetchJson({ config, clock }),
  }
}

/** Opens the rate limiter: in Redis, shared by nodes, or in memory. */
async function openLimiter(
  { redisUrl: url }: Config,
  { clock, random, log, metrics }: Pick<RegistryContext, 'clock' | 'random' | 'log' | 'metrics'>,
) {
  if (url === undefined) return createMemoryLimiter(clock)
  const { createRedisLimiter } = await import('../runtime/limits/redis-limiter.ts')
  return createRedisLimiter({ url, clock, random, log, noteOutage: noteOutages(metrics, 'redis') })
}

/** How long the start waits for Postgres, ms. */
const databaseWait = 30_000

/** Length of the accept queue. Connections beyond it retry after a second. */
const backlog = 4096

function makeServer(ctx: RegistryContext, added?: Service): Server {
  const shedder = createLoadShedder(ctx)
  const app = createApp(ctx, shedder, added)
  const handle: RequestListener = (req, res) => {
    if (ctx.readiness.waits.has('draining')) res.setHeader('Connection', 'close')
    app(req, res)
  }
  const server = createServer(
    {
      ...messageClasses(app),
      // The URL must have room for a task of 8,000 characters in any script.
      maxHeaderSize: 96 * 1024,
      headersTimeout: 10_000,
      // Enough for a file of 4 MiB at 30 kB/s.
      requestTimeout: 150_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // `requireHost` checks it instead, with an error body.
      requireHostHeader: false,
    },
    handle,
  )
  server.on('connection', shedder.connected)
  // Ignore unknown `Expect` headers. Node's own rejection would have no body.
  server.on('checkExpectation', handle)
  server.on('clientError', refuseBrokenRequest(registryDialect))
  return server
}

const listen = (server: Server, { port, host }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, resolve)
  })

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** How long running requests may take to finish, ms. */
const drainTime = 4000

/** Deadline of the last snapshot, ms after the call of `stop`. A stop takes at most 5 s. */
const snapshotTime = 4300

/** Closes each connection when it becomes idle, and all others after `drainTime`. */
async function closeServer(server: Server) {
  const closed = once(server.close(), 'close')
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const last = setTimeout(() => server.closeAllConnections(), drainTime)
  await closed
  clearInterval(sweep)
  clearTimeout(last)
}
