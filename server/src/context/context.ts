import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Caller } from '../runtime/patience.ts'
import type { Readiness } from '../runtime/readiness.ts'
import type { Clock, Random } from '../runtime/time.ts'
import type { Turns } from '../runtime/turns.ts'
import type { Encryption } from '../secrets/encryption.ts'
import type { Trace } from '../tracing/trace.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** What operations of every service work with. Each service extends it with what is its own. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  /** Wall-clock time by which expiries are judged, ms; see `createSteadyNow`. */
  readonly steadyNow: () => number
  readonly log: Logger
  readonly metrics: Metrics
  /** What the process waits for before it serves everything. */
  readonly readiness: Readiness
  /** Shares the turns of the event loop among what takes milliseconds. */
  readonly turns: Turns
  readonly db: Database
  readonly limiter: RateLimiter
  /** Seals what must not lie in the database in plain text. */
  readonly encryption: Encryption
  /** Network of the client whose request is served, /24 or /48; null outside of a request. */
  readonly network: string | null
  /** Who waits for what is done; undefined outside of a request. */
  readonly caller?: Caller | undefined
  /** Trace of the request that is served; null outside of a request. */
  readonly trace: Trace | null
  readonly tracing: Tracing
}
