/** A row with the same unique key already exists. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
  /** Columns of the violated key, in order. Empty if the engine does not report them. */
  readonly columns: readonly string[]
  /** Table of the key. Empty if the engine does not report it. */
  readonly table: string

  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`A row with the same ${columns.join(', ')} exists in ${table}.`, { cause })
    this.table = table
    this.columns = columns
  }
}

/**
 * The database is busy, full, damaged, unreachable, shutting down or too slow. On Postgres, the
 * write may have been committed if the connection broke during the commit, so repeat only
 * idempotent writes.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Whether it belongs to an outage. The start and the end of an outage are logged once each. */
  isOutage = false
  readonly reason: string

  /** `reason` states the problem and, after a colon or semicolon, the remedy. */
  constructor(reason: string, cause?: unknown) {
    super(`The database is unavailable: ${reason}`, { cause })
    this.reason = reason
  }
}
