import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from './app.ts'
import { createFailedSignIns } from './audit/failed-sign-ins.ts'
import { chores } from './chores.ts'
import type { Config } from './config/config.ts'
import type { AppContext } from './context.ts'
import { openDatabase } from './db/open.ts'
import { openEncryption } from './encryption/key.ts'
import { prepareDatabase } from './encryption/stored.ts'
import { answerBrokenRequest } from './http/errors.ts'
import { messagesOf } from './http/messages.ts'
import { createMemoryLimiter } from './limits/rate-limiter.ts'
import { createRedisLimiter } from './limits/redis-limiter.ts'
import { followChanges } from './registry/catalogue/change-feed.ts'
import { createCatalogue } from './registry/catalogue/create-catalogue.ts'
import { createReadmes } from './registry/catalogue/readmes.ts'
import { createSignatures } from './registry/catalogue/signatures.ts'
import { createCounters } from './registry/catalogue/write-behind.ts'
import { createEmbedder } from './registry/embeddings/embedder.ts'
import { startEmbedding } from './registry/embeddings/worker.ts'
import { registryDialect } from './registry/routes/dialect.ts'
import { keepSnapshots } from './registry/snapshots/keep.ts'
import { type OpenedCatalogue, openCatalogue, type Snapshots } from './registry/snapshots/open.ts'
import { snapshotFolder } from './registry/snapshots/place.ts'
import { stateOf } from './registry/snapshots/state.ts'
import { startLinting } from './registry/verdicts.ts'
import { startHousekeeping } from './runtime/housekeeping.ts'
import { createLog } from './runtime/log.ts'
import { createMetrics } from './runtime/metrics.ts'
import { createSteadyNow, systemClock, systemRandom } from './runtime/time.ts'
import { createTurns } from './runtime/turns.ts'
import { createBell } from './webhooks/bell.ts'
import { startSender } from './webhooks/sender.ts'

export interface RunningServer {
  readonly ctx: AppContext
  /** Address it listens on, with the port that the system chose for port 0. */
  readonly url: string
  /** Lets running requests finish, writes a snapshot and what was collected, and closes. */
  stop(): Promise<void>
}

/** Parts that tests replace; the rest is real. */
export type Overrides = Partial<Pick<AppContext, 'clock' | 'random' | 'log'>>

/** Opens the database, migrates it, fills the catalogue and listens. */
export async function startServer(
  config: Config,
  overrides: Overrides = {},
): Promise<RunningServer> {
  const ctx = await createContext(config, overrides)
  try {
    await prepareDatabase(ctx)
    if (!config.services.has('registry')) {
      return await listen({ ...ctx, catalogue: createCatalogue() })
    }
    const folder = snapshotFolder(config)
    const snapshots = folder === undefined ? undefined : { folder, stateOf }
    const { catalogue, from } = await openCatalogue(ctx, snapshots)
    return await listen({ ...ctx, catalogue }, snapshots && { ...snapshots, from })
  } catch (error) {
    await ctx.limiter.close()
    await ctx.db.close()
    throw error
  }
}

async function createContext(
  config: Config,
  overrides: Overrides,
): Promise<Omit<AppContext, 'catalogue'>> {
  const { clock = systemClock, random = systemRandom, log = createLog(config) } = overrides
  const db = await openDatabase(config.databaseUrl, { log })
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
    metrics: createMetrics(),
    turns: createTurns(),
    limiter: config.redisUrl
      ? createRedisLimiter({ url: config.redisUrl, clock, random, log })
      : createMemoryLimiter(clock),
    readmes: createReadmes(),
    signatures: createSignatures(),
    embeddings: createEmbedder(config, { clock, random, log }),
    counters: createCounters({ db, clock }),
    network: null,
    failedSignIns: createFailedSignIns({ db, clock, random }),
    webhooks: createBell(),
  }
}

/** Snapshots that this process makes, and what its catalogue came from. */
type Keeping = Snapshots & Pick<OpenedCatalogue, 'from'>

async function listen(ctx: AppContext, snapshots?: Keeping): Promise<RunningServer> {
  let draining = false
  const app = createApp(ctx, () => draining)
  const handle: RequestListener = (req, res) => {
    if (draining) res.setHeader('Connection', 'close')
    app(req, res)
  }
  const server = createServer(
    {
      ...messagesOf(app),
      // A task of 8,000 characters in any script must fit into the address.
      maxHeaderSize: 96 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // The pipeline asks for it, so that the refusal has a body.
      requireHostHeader: false,
    },
    handle,
  )
  // An expectation that is not known is ignored; Node's own refusal would have no body.
  server.on('checkExpectation', handle)
  server.on('clientError', answerBrokenRequest(registryDialect))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(ctx.config.port, ctx.config.host, resolve)
  })
  const following = ctx.config.services.has('registry') ? followChanges(ctx) : undefined
  const { interval } = ctx.config.snapshots
  const keeping =
    snapshots && keepSnapshots(ctx, snapshots, { interval, atOnce: snapshots.from === 'database' })
  const linting = ctx.config.services.has('registry') ? startLinting(ctx) : undefined
  const embedding = startEmbedding(ctx)
  const housekeeping = startHousekeeping(ctx.log, chores(ctx))
  const sender = ctx.config.services.has('oauth') ? startSender(ctx) : undefined
  const { port } = server.address() as AddressInfo
  const host = ctx.config.host.includes(':') ? `[${ctx.config.host}]` : ctx.config.host

  const stop = async () => {
    draining = true
    const deadline = AbortSignal.timeout(snapshotTime)
    await Promise.all([closeServer(server), sender?.stop()])
    await Promise.all([following?.stop(), linting?.stop()])
    await keeping?.stop(deadline)
    await embedding?.stop()
    await housekeeping.stop()
    await ctx.catalogue.index.close()
    await ctx.limiter.close()
    await ctx.db.close()
    ctx.log.flush()
  }
  let stopping: Promise<void> | undefined
  return {
    ctx,
    url: `http://${host}:${port}`,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Longest that running requests may take to finish, ms. */
const drainTime = 4000

/** From the call to stop, ms, until when the last snapshot must be written: a stop takes 5 s at most. */
const snapshotTime = 4300

/** Closes idle connections as they become idle; busy ones get `drainTime` to finish. */
async function closeServer(server: Server) {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  const last = setTimeout(() => server.closeAllConnections(), drainTime)
  await closed
  clearInterval(sweep)
  clearTimeout(last)
}
