import type { Database, DatabaseOptions } from './database.ts'

export type { Database, DatabaseOptions } from './database.ts'
export type { Db } from './handle.ts'

/** Opens `file:…` (SQLite, created if missing) or `postgres://…`. Does not migrate. */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  // Load only the driver that is used, because loading modules takes most of the start.
  if (url.startsWith('file:')) return (await import('./sqlite.ts')).openSqlite(url)
  if (/^postgres(ql)?:\/\//.test(url)) {
    return (await import('./postgres.ts')).openPostgres(url, options)
  }
  throw new Error('DATABASE_URL must start with "file:" or "postgres://".')
}

export type DatabaseToRead = Pick<Database, 'read' | 'close'>

/**
 * Opens a database for reading. It neither creates an SQLite file nor changes its mode. Throws
 * `DatabaseUnavailable` if the database does not exist.
 */
export async function openToRead(url: string): Promise<DatabaseToRead> {
  if (url.startsWith('file:')) return (await import('./sqlite.ts')).openSqliteToRead(url)
  const { openPostgres, patientLimits } = await import('./postgres.ts')
  return openPostgres(url, { poolSize: 2, limits: patientLimits })
}
