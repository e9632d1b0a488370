import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteConnection, {
  type Database as Connection,
  type Options,
  type Statement,
} from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { errorCode } from '../errors/error-code.ts'
import { DatabaseUnavailable, lackOf, UniqueViolation } from './errors.ts'

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

const unique = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])

/** Converts errors of SQLite and the file system. Returns other errors unchanged. */
export function translateSqlite(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error
  const code = errorCode(error)
  if (unique.has(code)) {
    // "UNIQUE constraint failed: skills.repository_id, skills.slug"
    const keys = error.message.slice(error.message.indexOf(': ') + 2).split(', ')
    const table = keys[0]?.split('.')[0] ?? ''
    const columns = keys.map((key) => key.slice(key.indexOf('.') + 1))
    return new UniqueViolation(table, columns, error)
  }
  // better-sqlite3 reports a closed connection, such as during shutdown, only by its message.
  if (error.message === 'The database connection is not open') {
    return new DatabaseUnavailable('it is closed.', error)
  }
  if (/^no such (table|column)|has no column/.test(error.message)) return lackOf(error)
  const advice = faults.find(([codes]) => codes.test(code))?.[1]
  if (!advice) return error
  return new DatabaseUnavailable(
    `${advice.replaceAll('{file}', () => file)} (${error.message})`,
    error,
  )
}

/** Problems and remedies, with the placeholder `{file}`. The first match applies. */
const faults: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_CORRUPT/,
    '{file} is damaged. Run `skillpass-server check` for details, and restore a backup with `skillpass-server restore FILE`.',
  ],
  [
    /^SQLITE_NOTADB/,
    '{file} is not an SQLite database. Set DATABASE_URL to another file, or restore a backup with `skillpass-server restore FILE`.',
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'the disk of {file} is full. Free some space.'],
  [
    /^(SQLITE_READONLY|EROFS)/,
    '{file} is read-only. Give the user of this process write access to it and its folder, and check that the disk is mounted for writing.',
  ],
  [
    /^(EACCES|EPERM|SQLITE_PERM|SQLITE_AUTH)/,
    'the user of this process may not open {file}. Give it read and write access to the file and its folder.',
  ],
  [
    /^(SQLITE_CANTOPEN|EISDIR|ENOTDIR|EEXIST|ENOENT)/,
    '{file} cannot be opened. Set DATABASE_URL to a file in an existing folder.',
  ],
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    '{file} is locked by another process. Find it with `fuser {file}`.',
  ],
  [/^(SQLITE_IOERR|EIO)/, "the disk of {file} is failing. Check the system's log."],
  [/^SQLITE_(NOMEM|INTERRUPT)/, '{file} could not be read completely.'],
]
