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

/** The schema of the database is missing, or older or newer than this version of Skillpass. */
export class SchemaFault extends DatabaseUnavailable {
  override name = 'SchemaFault'
}

/** Converts the error of a query that needs a missing table or column. */
export const lackOf = (error: Error) =>
  new SchemaFault(
    `its schema is incomplete (${error.message}). Restore a backup, or set DATABASE_URL to the right database.`,
    error,
  )
