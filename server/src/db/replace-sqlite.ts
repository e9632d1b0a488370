import { link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database as Connection } from 'better-sqlite3'
import { errorCode } from '../errors/error-code.ts'
import { toDisk } from '../runtime/to-disk.ts'
import { connect } from './sqlite-connection.ts'
import { translateSqlite } from './sqlite-errors.ts'

/** Suffixes of SQLite's companion files, which it would apply to any database of that name. */
const logs = ['-wal', '-journal'] as const

const busyMs = 1_000

/**
 * Locks a database for this process and checkpoints its log, so that the file is complete. A damaged
 * database is left unchanged. Returns a function that releases the lock. Throws `DatabaseUnavailable` if
 * another process has it open or the disk fails.
 */
export async function holdSqlite(file: string): Promise<() => void> {
  const held = connect(file, { fileMustExist: true, timeout: busyMs })
  try {
    if (settle(held)) await rm(`${file}-journal`, { force: true })
    return () => held.close()
  } catch (error) {
    held.close()
    throw translateSqlite(error, file)
  }
}

/** Returns false, and closes the connection, if the database is damaged. */
function settle(held: Connection): boolean {
  try {
    // Takes the exclusive lock before the file's content is trusted.
    held.pragma('locking_mode = exclusive')
    held.exec('begin exclusive; commit')
    held.pragma('journal_mode = delete')
    // From here on, closing this connection must not delete the companion files.
    held.pragma('journal_mode = memory')
    return true
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(errorCode(error))) throw error
    held.close()
    return false
  }
}

/**
 * Replaces `file` by `replacement` and keeps the old database as `former`, including the log if it is
 * damaged. `former` is null without an old database. If the replacement fails, either database is complete at
 * `file`. Both must be on the same disk, and `file` must be locked.
 */
export async function replaceSqlite(
  file: string,
  replacement: string,
  former: string | null,
): Promise<void> {
  await toDisk(replacement)
  if (former !== null) {
    await link(file, former)
    for (const log of logs) await linkWhereThere(file + log, former + log)
    await toDisk(dirname(file))
  }
  for (const suffix of [...logs, '-shm']) await rm(file + suffix, { force: true })
  await rename(replacement, file)
  await toDisk(dirname(file))
}

async function linkWhereThere(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
