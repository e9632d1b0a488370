import { resolve } from 'node:path'
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

/** The path of a `file:` URL, absolute. */
export function sqliteFile(url: string): string {
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length))
}

/** Opens a file of SQLite. Throws `DatabaseUnavailable` with its name. */
export function connect(file: string, options: Options): Connection {
  try {
    return new SqliteConnection(file, options)
  } catch (error) {
    throw translateSqlite(error, file)
  }
}

/** kysely's view of a connection: each query is run to its end at once, so no read stays open. */
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
      throw new Error('Streaming would hold a read open and let the log grow; page instead.')
    },
  }
}
