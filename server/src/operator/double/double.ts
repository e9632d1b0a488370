import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, type ClientOptions, createClient } from '@skillpass/client'
import { Duration, type Seeded } from '@skillpass/contract'
import type { z } from 'zod'
import { launchServer, type Overrides, type RunningServer } from '../../app/serve.ts'
import { openSavepoints } from '../../db/savepoints.ts'
import { errorCode } from '../../errors/error-code.ts'
import { fail } from '../../errors/failure.ts'
import { loadConfig } from '../../runtime/config/config.ts'
import { createMemoryLimiter, type RateLimiter } from '../../runtime/limits/rate-limiter.ts'
import { createPasswords, lowCost } from '../../secrets/passwords.ts'
import { systemRandom } from '../../secrets/random.ts'
import { findNextAttempt } from '../../store/webhooks.ts'
import { createSetClock } from './clock.ts'
import { createConsent } from './consent.ts'
import { createFaults } from './faults.ts'
import { createMeetings } from './meetings.ts'
import { createNames } from './names.ts'
import { createRequests } from './requests.ts'
import { applySeed, noSeed, type Seed } from './seed.ts'
import { createWebhooks } from './webhooks.ts'

export interface DoubleOptions {
  /** What exists from the start. */
  readonly seed?: Seed
  /** The time at the start. By default, the real time. */
  readonly now?: Date | string | number
  /** Variables of the server, such as `ACCESS_TOKEN_TTL_SECONDS`. */
  readonly env?: Readonly<Record<string, string>>
  /** Applies the limits of the vendor's API. By default, there are none. */
  readonly limits?: 'vendor' | { readonly vendor: true; readonly hints: boolean }
  /** By default 127.0.0.1, and a free port. */
  readonly host?: string
  readonly port?: number
}

export type Double = Awaited<ReturnType<typeof createSkillpass>>

/**
 * Starts Skillpass in this process for a test: with the given seed, a clock to move, and controls
 * for what users, meetings and networks do (server/docs/testing.md). Throws an error with one line
 * per problem of the seed.
 */
export async function createSkillpass(
  options: DoubleOptions = {},
  addService?: Overrides['addService'],
) {
  const clock = createSetClock(timeOf(options.now ?? Date.now()))
  let limits = createMemoryLimiter(clock)
  const limiter: RateLimiter = {
    check: (...call) => limits.check(...call),
    uncount: (...call) => limits.uncount(...call),
    close: () => limits.close(),
  }
  const file = join(tmpdir(), `skillpass-${randomBytes(8).toString('hex')}.db`)
  const removeFiles = () =>
    Promise.all(['', '-wal', '-shm'].map((suffix) => rm(file + suffix, { force: true })))
  let [seeded, seededAt] = [noSeed, clock.now()]
  const names = createNames(() => seeded)
  const faults = createFaults(names)
  const requests = createRequests(names)
  const server = await launch(options, file, {
    clock,
    limiter,
    intercept: faults.intercept,
    observe: requests.observe,
    passwords: createPasswords(systemRandom, lowCost),
    addService,
  })
  await server.ready
  const { ctx } = server
  const url = ctx.config.baseUrl
  const points = openSavepoints(ctx.config.databaseUrl)
  const close = async () => {
    faults.clear()
    points.close()
    await server.stop()
    await removeFiles()
  }
  const sender = (await server.sender()) ?? fail(500)
  const webhooks = createWebhooks(ctx, sender, names)

  /** Returns to a saved state of the database, with nothing else in memory. */
  async function restore(point: 'empty' | 'seeded') {
    await ctx.counters.flush()
    await ctx.failedSignIns.flush()
    await ctx.calls.flush()
    await points.restore(point)
    limits = createMemoryLimiter(clock)
    webhooks.forget()
    faults.clear()
    requests.clear()
    await server.reload()
  }

  /** Empties the double and seeds it anew. `reset` returns to this state from then on. */
  async function reseed(seed: Seed): Promise<Seeded> {
    await restore('empty')
    seeded = noSeed
    seeded = await applySeed(ctx, seed)
    points.save('seeded')
    seededAt = clock.now()
    return seeded
  }

  /** Moves the time forward. What falls due on the way is done when this returns. */
  async function advance(duration: z.input<typeof Duration>): Promise<void> {
    const end = clock.now() + Duration.parse(duration)
    for (;;) {
      await sender.sendDue()
      const next = sender.isHeld() ? undefined : await findNextAttempt(ctx.db.read)
      if (next === undefined || next > end) break
      clock.set(Math.max(next, clock.now()))
    }
    clock.set(Math.max(end, clock.now()))
    await server.runJob()
    await sender.sendDue()
  }

  points.save('empty')
  await reseed(options.seed ?? {}).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    url,
    /** Ids, credentials and keys of the seed by kind and name. */
    get seeded() {
      return seeded
    },
    /** The typed client, as an agent or with a token of the seed. */
    client: ({ agent, token, ...more }: Partial<ClientOptions> & As = {}): Client =>
      createClient({
        baseUrl: url,
        apiKey: agent === undefined ? undefined : named(seeded.agents, agent).apiKey,
        accessToken: token === undefined ? undefined : named(seeded.tokens, token).accessToken,
        ...more,
      }),
    seed: reseed,
    /** Restores the state after the seed, with its ids, secrets and time. */
    async reset(): Promise<Seeded> {
      await restore('seeded')
      clock.set(seededAt)
      clock.run()
      return seeded
    },
    clock: {
      now: () => new Date(clock.now()),
      set: (time: Date | string | number) => clock.set(timeOf(time)),
      advance,
      freeze: clock.freeze,
      run: clock.run,
      isFrozen: clock.isFrozen,
    },
    ...createConsent(ctx, names),
    faults,
    /** Lists the last 10,000 requests, oldest first. */
    requests: Object.assign(requests.list, { next: requests.next }),
    webhooks,
    meetings: createMeetings(ctx),
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface As {
  /** Username of an agent of the seed. */
  readonly agent?: string
  /** Name of a token of the seed. */
  readonly token?: string
}

const named = <T>(entries: Readonly<Record<string, T>>, name: string): T =>
  entries[name] ?? fail('NOT_FOUND', `The seed has no "${name}".`)

function timeOf(time: Date | string | number): number {
  const ms = new Date(time).getTime()
  if (Number.isNaN(ms)) throw new TypeError(`${String(time)} is not a time.`)
  return ms
}

/** No limits and no log, so that tests meet only what they set. */
const quiet = {
  NODE_ENV: 'test',
  SNAPSHOT_DIR: 'off',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: '0',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '0',
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0',
  RATE_LIMIT_RESOURCE_PER_MINUTE: '0',
  QUOTA_FACTOR: '0',
}

/** Attempts to find a free port, because another process may take it meanwhile. */
const maxAttempts = 10

async function launch(
  { host = '127.0.0.1', port: given, env, limits }: DoubleOptions,
  file: string,
  overrides: Overrides,
): Promise<RunningServer> {
  const vendorLimits = limits === 'vendor' ? { hints: true } : limits
  for (let attempt = 1; ; attempt++) {
    const port = given ?? (await findFreePort(host))
    const url = `http://${host === '0.0.0.0' ? 'localhost' : host}:${port}`
    const config = loadConfig({
      ...quiet,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: `file:${file}`,
      ...{ HOST: host, PORT: String(port), BASE_URL: url, AUTH_URL: url, API_URL: url },
      ...env,
    })
    try {
      return await launchServer({ ...config, vendorLimits }, overrides)
    } catch (error) {
      const isTaken = errorCode(error) === 'EADDRINUSE' && given === undefined
      if (!isTaken || attempt === maxAttempts) throw error
    }
  }
}

async function findFreePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}
