import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Readiness } from '../runtime/readiness.ts'
import type { Clock, Random } from '../runtime/time.ts'
import type { Encryption } from '../secrets/encryption.ts'

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
  readonly db: Database
  readonly limiter: RateLimiter
  /** Seals what must not lie in the database in plain text. */
  readonly encryption: Encryption
  /** Network of the client whose request is served, /24 or /48; null outside of a request. */
  readonly network: string | null
  /** Aborts once the client of the request has left; undefined outside of a request. */
  readonly signal?: AbortSignal | undefined
  /** `traceparent` of the request that is served; null without one. */
  readonly trace: string | null
}
