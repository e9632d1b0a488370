import type { Database, DatabaseOptions } from './database.ts'

export type { Database, DatabaseOptions } from './database.ts'
export type { Db } from './handle.ts'

/** Opens `file:…` as SQLite (made when it is missing) or `postgres://…`; migrates nothing. */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  // Either driver is loaded where it is needed: a start is mostly the loading of modules.
  if (url.startsWith('file:')) return (await import('./sqlite.ts')).openSqlite(url)
  if (/^postgres(ql)?:\/\//.test(url)) {
    return (await import('./postgres.ts')).openPostgres(url, options)
  }
  throw new Error('DATABASE_URL must start with "file:" or "postgres://".')
}
