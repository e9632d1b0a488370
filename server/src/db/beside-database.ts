import { join } from 'node:path'
import { sqliteFile } from './sqlite-connection.ts'

/** Returns a path next to the SQLite file, or in `data/` with the name of the Postgres database. */
export function besideDatabase(databaseUrl: string, suffix: string): string {
  if (databaseUrl.startsWith('file:')) return `${sqliteFile(databaseUrl)}-${suffix}`
  const name = decodeURIComponent(new URL(databaseUrl).pathname).replace(/[^\w-]+/g, '_')
  return join('data', `postgres${name}-${suffix}`)
}
