import type { Logger } from 'pino'
import type { Db, Work } from './handle.ts'

export interface Database {
  /**
   * Reads outside of transactions. Reads never wait for writes. Each query sees the latest commits,
   * so read values that must be consistent in one query. Throws `DatabaseUnavailable`.
   */
  readonly read: Db
  /**
   * Runs `work` in a transaction and resolves when the commit is durable. Rolls back and rejects if
   * `work` throws or any of its queries fails; throws `UniqueViolation` and `DatabaseUnavailable`.
   * `work` may await only queries of `trx`. On Postgres it may run more than once, after a
   * conflict.
   */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** Throws `DatabaseUnavailable` unless the database responds within about a second. */
  ping(): Promise<void>
  /** Whether an outage is known, during which all use fails at once (Postgres only). */
  isAway(): boolean
  /** Writes a consistent copy to `file` while the service runs (SQLite; throws on Postgres). */
  backup(file: string): Promise<void>
  /** Finishes queued writes, then closes. */
  close(): Promise<void>
}

export interface WriteOptions {
  /** For migrations, which can take minutes and may wait for the migrations of another process. */
  readonly isLong?: boolean
}

/** Time limits of Postgres, ms. */
export interface TimeLimits {
  readonly connection: number
  readonly statement: number
}

export interface DatabaseOptions {
  /** Number of Postgres connections of this process. Half are for reads, half for writes. */
  poolSize?: number
  /** Log for outages (Postgres). */
  log?: Logger
  /** Called when Postgres becomes unavailable and when it is available again. */
  noteOutage?: (isAway: boolean) => void
  /** How long opening waits for Postgres, ms. The default is a single attempt. */
  waitMs?: number
  limits?: TimeLimits
}
