import type { Logger } from 'pino'
import type { FailedSignIns } from './audit/failed-sign-ins.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/open.ts'
import type { Encryption } from './encryption/encryption.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import type { Catalogue } from './registry/catalogue/catalogue.ts'
import type { Readmes } from './registry/catalogue/readmes.ts'
import type { Tally } from './registry/catalogue/write-behind.ts'
import type { Embedder } from './registry/embeddings/embedder.ts'
import type { Signatures } from './registry/signatures.ts'
import type { Metrics } from './runtime/metrics.ts'
import type { Turns } from './runtime/turns.ts'
import type { Bell } from './webhooks/bell.ts'

/** Time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds that only ever grow, whatever is done to the wall clock. */
  monotonic(): number
}

/**
 * Wall-clock time that does not follow the clock when it is set back: what was issued before still
 * expires when it should. It does follow a jump ahead, as after sleep, and one that is taken back.
 */
export function createSteadyNow(clock: Clock): () => number {
  const wall = clock.now()
  const start = clock.monotonic()
  return () => Math.max(clock.now(), Math.floor(wall + clock.monotonic() - start))
}

/** Randomness fit for secrets. */
export interface Random {
  bytes(length: number): Uint8Array
  uuid(): string
}

/** What every operation works with. One per process; tests make their own. */
export interface Context {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  /** Wall-clock time by which expiries are judged, ms; see `createSteadyNow`. */
  readonly steadyNow: () => number
  readonly log: Logger
  readonly metrics: Metrics
  /** Shares the turns of the event loop among what takes milliseconds. */
  readonly turns: Turns
  readonly db: Database
  readonly limiter: RateLimiter
  /** Seals what must not lie in the database in plain text. */
  readonly encryption: Encryption
  /** The skills in memory: cards, addresses and the ranking index. */
  readonly catalogue: Catalogue
  readonly readmes: Readmes
  readonly signatures: Signatures
  /** Makes vectors of tasks and skills, where the operator has named a service for it. */
  readonly embeddings: Embedder | undefined
  /** Counts that are collected in memory and written in batches. */
  readonly tally: Tally
  /** Network of the client whose request is served, /24 or /48; null outside of a request. */
  readonly network: string | null
  /** Collects failed sign-ins for the audit log. */
  readonly failedSignIns: FailedSignIns
  /** Wakes the sender of webhooks, after the commit of an event. */
  readonly webhooks: Bell
}
