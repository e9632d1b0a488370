import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteConnection, {
  type Database as Connection,
  type Options,
  type Statement,
} from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { translateSqlite } from './sqlite-errors.ts'

const cachedStatements = 500

/** Returns the absolute path of a `file:` URL. */
export function sqliteFile(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length))
}

/** Opens an SQLite file. Throws `DatabaseUnavailable` with its name. */
export function connect(file: string, options: Options): Connection {
  try {
    return new SqliteConnection(file, options)
  } catch (error) {
    throw translateSqlite(error, file)
  }
}

/** A Kysely connection that runs each query to completion, so that no read stays open. */
export function asKyselyConnection(db: Connection): DatabaseConnection {
  const statements = new LRUCache<string, Statement<unknown[]>>({ max: cachedStatements })

  function run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    let statement = statements.get(sql)
    if (!statement) {
      statement = db.prepare<unknown[]>(sql)
      statements.set(sql, statement)
    }
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const { changes } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  return {
    executeQuery: async (query) => {
      try {
        return run(query)
      } catch (error) {
        throw translateSqlite(error, db.name)
      }
    },
    streamQuery: () => {
      throw new Error('Do not stream: an open read lets the log grow. Use pages.')
    },
  }
}

/** Returns a path next to the SQLite file, or in `data/` with the name of the Postgres database. */
export function besideDatabase(databaseUrl: string, suffix: string): string {
  if (databaseUrl.startsWith('file:')) return `${sqliteFile(databaseUrl)}-${suffix}`
  const name = decodeURIComponent(new URL(databaseUrl).pathname).replace(/[^\w-]+/g, '_')
  return join('data', `postgres${name}-${suffix}`)
}
