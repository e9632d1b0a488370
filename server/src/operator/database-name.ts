import type { Config } from '../config/config.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'

/** Returns the name of the database for messages: its file, or its host and path. */
export function databaseName({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl.startsWith('file:')) return sqliteFile(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}
