import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'

/**
 * Returns the configured snapshot folder. The default is next to the SQLite file, or in `data/`
 * with the name of the Postgres database. Returns undefined if snapshots are off.
 */
export function snapshotFolder({
  databaseUrl,
  snapshots: { folder },
}: Pick<Config, 'databaseUrl' | 'snapshots'>): string | undefined {
  if (folder === 'off') return undefined
  if (folder !== undefined) return folder
  if (databaseUrl.startsWith('file:')) return `${sqliteFile(databaseUrl)}-snapshot`
  const name = decodeURIComponent(new URL(databaseUrl).pathname).replace(/[^\w-]+/g, '_')
  return join('data', `postgres${name}-snapshot`)
}
