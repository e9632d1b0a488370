import type { Database, DatabaseOptions } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type { Database, DatabaseOptions, Order } from './database.ts'
export type { Db } from './handle.ts'

/** Opens `file:…` as SQLite (made when it is missing) or `postgres://…`; migrates nothing. */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (url.startsWith('file:')) return openSqlite(url)
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, options)
  throw new Error('DATABASE_URL must start with "file:" or "postgres://".')
}
