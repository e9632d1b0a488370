import type { Logger } from 'pino'
import type { TimeLimits } from './breaker.ts'
import type { Db, DialectName } from './handle.ts'
import type { Work } from './work.ts'

export interface Database {
  readonly dialect: DialectName
  /**
   * Reads outside any transaction; they never wait behind a write. A query may see commits that
   * came after the previous one, so what must agree is read by one query. Throws
   * `DatabaseUnavailable`.
   */
  readonly read: Db
  /**
   * Runs `work` in a transaction and resolves only when the commit is durable. Throws what `work`
   * throws, `UniqueViolation` or `DatabaseUnavailable`, and then nothing of it is kept. One failed
   * query fails the whole work. `work` awaits nothing but queries of `trx`, may run more than once
   * (Postgres: after a deadlock). Throws the reason of an aborted signal, having begun nothing.
   */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /**
   * `write` for works that need a number of one order and so wait for each other anyway: those that come
   * at once share a transaction and its commit, one after the other, each under a savepoint.
   */
  writeInOrder<T>(
    order: Order,
    work: (trx: Db, number: number) => Promise<T>,
    options?: WriteOptions,
  ): Promise<T>
  /**
   * `write` for a work that is one statement, which needs no transaction: a round trip in place of
   * three. A second statement of it fails, and what it throws after the first undoes nothing.
   */
  writeOnce<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** Throws `DatabaseUnavailable` unless the database answers within about a second. */
  ping(): Promise<void>
  /** Whether the database is known not to answer, so that every use of it fails at once (Postgres). */
  isAway(): boolean
  /** Writes a consistent copy to `file` while the service goes on (SQLite; on Postgres it throws). */
  backup(file: string): Promise<void>
  /**
   * Leaves nothing in the file of what was overwritten or deleted (SQLite; holds writes up for about ten
   * seconds per GB). On Postgres vacuuming does that in its own time.
   */
  scrub(): Promise<void>
  /** Finishes the writes that wait, then closes. */
  close(): Promise<void>
}

/** Numbers that grow in the order of the commits; told apart by this object itself. */
export interface Order {
  /** Takes `count` numbers and gives the first. Others who take some wait for this transaction's end. */
  take(trx: Db, count: number): Promise<number>
}

export interface WriteOptions {
  /** After how long the work is cut off, ms; 10 s by default. */
  readonly timeoutMs?: number
  /** Read right before the write begins. */
  readonly signal?: AbortSignal | undefined
}

export interface DatabaseOptions {
  /** Postgres connections of this process; half serve reads, half writes. */
  poolSize?: number
  /** Told of outages, and of connections lost while idle, which the pool replaces (Postgres). */
  log?: Logger
  /** Told when Postgres is away, and when it is back. */
  noteOutage?: (isAway: boolean) => void
  /** How long Postgres is waited for at the opening, ms; once is tried by default. */
  waitMs?: number
  /** How long Postgres is waited for later, in each case. */
  limits?: TimeLimits
}
