import { errorCode } from '../errors/error-code.ts'
import { DatabaseUnavailable, UniqueViolation } from './errors.ts'

const unique = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'])

/** Turns an error of SQLite, or of the file system, into one of ours; any other comes back unchanged. */
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
  // better-sqlite3 tells by its words alone that the connection was closed, as at a shutdown.
  if (error.message === 'The database connection is not open') {
    return new DatabaseUnavailable('it is closed.', error)
  }
  const advice = faults.find(([codes]) => codes.test(code))?.[1]
  if (!advice) return error
  return new DatabaseUnavailable(
    `${advice.replaceAll('{file}', () => file)} (${error.message})`,
    error,
  )
}

/**
 * What each fault means for an operator, and what to do, with the name in place of `{file}`; the first
 * that fits is told.
 */
const faults: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_CORRUPT/,
    '{file} is damaged. See what is wrong with `skillpass-server check`, and bring back a backup with `skillpass-server restore FILE`.',
  ],
  [
    /^SQLITE_NOTADB/,
    '{file} is not a SQLite database. Name another file in DATABASE_URL, or bring back a backup with `skillpass-server restore FILE`.',
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'the disk of {file} is full. Make room on it.'],
  [
    /^(SQLITE_READONLY|EROFS)/,
    '{file} is read-only. Let the user of this process write to it and to its folder, and see that the disk is mounted for writing.',
  ],
  [
    /^(EACCES|EPERM|SQLITE_PERM|SQLITE_AUTH)/,
    '{file} may not be opened by the user of this process. Let it read and write the file and its folder.',
  ],
  [
    /^(SQLITE_CANTOPEN|EISDIR|ENOTDIR|EEXIST|ENOENT)/,
    '{file} cannot be opened. DATABASE_URL must name a file in a folder.',
  ],
  [
    /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    '{file} is locked by another process. Find it with `fuser {file}`.',
  ],
  [/^(SQLITE_IOERR|EIO)/, "the disk of {file} fails. See what the system's log says of it."],
  [/^SQLITE_(NOMEM|INTERRUPT)/, '{file} could not be read to the end.'],
]
