import type { Config } from '../config/config.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'

/** What a database is called, without the password. */
export function nameOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl.startsWith('file:')) return sqliteFile(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}
