/** A row with the same unique key exists already. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
  /** The columns of the violated key, in its order; empty when the engine does not tell. */
  readonly columns: readonly string[]
  /** The table the key belongs to; empty when the engine does not tell. */
  readonly table: string

  constructor(table: string, columns: readonly string[], cause: unknown) {
    super(`A row with the same ${columns.join(', ')} exists in ${table}.`, { cause })
    this.table = table
    this.columns = columns
  }
}

/**
 * The database cannot serve now: busy, full, damaged, unreachable, shutting down or too slow. A write
 * that fails so may have been committed when the connection broke at the commit itself (Postgres only),
 * so only idempotent writes may be repeated.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Whether it is an outage, whose beginning and end are logged once each: the rest need not be. */
  isOutage = false
  readonly reason: string

  /** `reason` says what is wrong, and after a colon or a semicolon what to do about it. */
  constructor(reason: string, cause?: unknown) {
    super(`The database is unavailable: ${reason}`, { cause })
    this.reason = reason
  }
}
