import { errorCode } from '../errors/error-code.ts'
import type { DialectName } from './handle.ts'

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
 * The database cannot serve now: busy, full, unreachable, shutting down or too slow. A write that
 * fails so may have been committed when the connection broke at the commit itself (Postgres only),
 * so only idempotent writes may be repeated.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Whether it is an outage, whose beginning and end are logged once each: the rest need not be. */
  isOutage = false

  constructor(reason: string, cause?: unknown) {
    super(`The database is unavailable: ${reason}`, { cause })
  }
}

/** Turns a driver's error into one of the two above; any other error comes back unchanged. */
export function translateError(dialect: DialectName, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return dialect === 'sqlite' ? translateSqlite(error) : translatePostgres(error)
}

const sqliteUnique = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])
const sqliteUnavailable =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|NOMEM|READONLY|PROTOCOL|INTERRUPT)(_|$)/

function translateSqlite(error: Error): Error {
  const code = errorCode(error)
  if (sqliteUnique.has(code)) {
    // "UNIQUE constraint failed: skills.repository_id, skills.slug"
    const keys = error.message.slice(error.message.indexOf(': ') + 2).split(', ')
    const table = keys[0]?.split('.')[0] ?? ''
    const columns = keys.map((key) => key.slice(key.indexOf('.') + 1))
    return new UniqueViolation(table, columns, error)
  }
  // better-sqlite3 tells by its words alone that the connection was closed, as at a shutdown.
  if (sqliteUnavailable.test(code) || error.message === 'The database connection is not open') {
    return new DatabaseUnavailable(`${error.message} (${code})`, error)
  }
  return error
}

/**
 * Classes 08 connection, 53 resources, 58 system; 57P01–05 shutdown and dropped database, 3D000 no
 * such database, 55000 not accepting connections, 57014
 * statement timeout, 25P03 idle in transaction, 25006 read-only after a fail-over, 55P03 lock.
 */
const postgresUnavailable = /^(08...|53...|58...|57P0\d|57014|3D000|55000|25P03|25006|55P03)$/
const socketErrors =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN))$/

function translatePostgres(error: Error): Error {
  const code = errorCode(error)
  if (code === '23505') {
    const { table = '', detail = '' } = error as { table?: string; detail?: string }
    // "Key (repository_id, slug)=(…) already exists." The words depend on the server's language.
    const columns = /\((.*?)\)=\(/.exec(detail)?.[1]?.replaceAll('"', '').split(', ') ?? []
    return new UniqueViolation(table, columns, error)
  }
  // pg reports lost connections and its own timeouts without any code.
  const lost =
    code === '' && /connection|connect|timeout|not queryable|after calling end/i.test(error.message)
  if (lost || postgresUnavailable.test(code) || socketErrors.test(code)) {
    return new DatabaseUnavailable(
      code === '' ? error.message : `${error.message} (${code})`,
      error,
    )
  }
  return error
}
