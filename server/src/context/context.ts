import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock, Random } from '../runtime/time.ts'
import type { Encryption } from '../secrets/encryption.ts'

/** Dependencies of operations. Each service extends it with its own. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  /** Time to compare expiries with, ms; see `createSteadyNow`. */
  readonly steadyNow: () => number
  readonly log: Logger
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly db: Database
  readonly limiter: RateLimiter
  /** Encrypts values that the database must not hold in plain text. */
  readonly encryption: Encryption
  /** Rate-limit key of the request's client address; undefined outside of a request. */
  readonly address?: string | undefined
  /** Network of the request's client, /24 or /48; null outside of a request. */
  readonly network: string | null
  /** Aborts when the request's client disconnects; undefined outside of a request. */
  readonly signal?: AbortSignal | undefined
  /** The request's `traceparent`, or null. */
  readonly trace: string | null
}

/** A reason why a process does not serve everything. `draining` means that it is stopping. */
export type Wait = 'migrations' | 'schema' | 'catalogue' | 'demo' | 'draining'

export interface Readiness {
  /** Why the process waits for the schema, and the key of the database that it has read. */
  fault?: string | undefined
  databaseKey?: number
  /** Empty while everything is served. */
  readonly waits: Set<Wait>
  /** Progress of loading the catalogue, in skills. */
  reading?: { readonly read: number; readonly skills: number }
}
