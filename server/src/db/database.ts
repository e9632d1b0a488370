import type { Logger } from 'pino'
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
   * query fails the whole work. `work` awaits nothing but queries of `trx`, and may run more than
   * once (Postgres: after a conflict).
   */
  write<T>(work: Work<T>, options?: WriteOptions): Promise<T>
  /** Throws `DatabaseUnavailable` unless the database answers within about a second. */
  ping(): Promise<void>
  /** Whether the database is known not to answer, so that every use of it fails at once (Postgres). */
  isAway(): boolean
  /** Writes a consistent copy to `file` while the service goes on (SQLite; on Postgres it throws). */
  backup(file: string): Promise<void>
  /** Finishes the writes that wait, then closes. */
  close(): Promise<void>
}

export interface WriteOptions {
  /** For migrations, which may take minutes and wait as long for those of another process. */
  readonly isLong?: boolean
}

/** How long Postgres is waited for, ms. */
export interface TimeLimits {
  /** For a connection. */
  readonly connection: number
  /** For the answer to one statement. */
  readonly statement: number
}

export interface DatabaseOptions {
  /** Postgres connections of this process; half serve reads, half writes. */
  poolSize?: number
  /** Told of outages (Postgres). */
  log?: Logger
  /** Told when Postgres is away, and when it is back. */
  noteOutage?: (isAway: boolean) => void
  /** How long Postgres is waited for at the opening, ms; once is tried by default. */
  waitMs?: number
  limits?: TimeLimits
}
