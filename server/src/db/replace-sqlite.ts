import { link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database as Connection } from 'better-sqlite3'
import { errorCode } from '../errors/error-code.ts'
import { toDisk } from './files.ts'
import { connect, translateSqlite } from './sqlite-connection.ts'

/** Suffixes of SQLite's companion files, which it would apply to any database of that name. */
const logs = ['-wal', '-journal'] as const

const busyMs = 1_000

/**
 * Locks a database for this process and checkpoints its log, so that the file is complete. A
 * damaged database is left unchanged. Returns a function that releases the lock. Throws
 * `DatabaseUnavailable` if another process has it open or the disk fails.
 */
export async function holdSqlite(file: string): Promise<() => void> {
  const locked = connect(file, { fileMustExist: true, timeout: busyMs })
  try {
    if (settle(locked)) await rm(`${file}-journal`, { force: true })
    return () => locked.close()
  } catch (error) {
    locked.close()
    throw translateSqlite(error, file)
  }
}

/** Locks the database and checkpoints its log. If it is damaged, closes it and returns false. */
function settle(db: Connection): boolean {
  try {
    // Takes the exclusive lock before the file's content is trusted.
    db.pragma('locking_mode = exclusive')
    db.exec('begin exclusive; commit')
    db.pragma('journal_mode = delete')
    // From here on, closing this connection must not delete the companion files.
    db.pragma('journal_mode = memory')
    return true
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(errorCode(error))) throw error
    db.close()
    return false
  }
}

/**
 * Replaces `file` by `replacement`. The old database and its log, if any, get the name `former`,
 * which is null if no database existed. If the replacement fails, `file` is complete: either the
 * old or the new database. All must be on the same disk, and `file` must be locked.
 */
export async function replaceSqlite(file: string, replacement: string, former: string | null) {
  await toDisk(replacement)
  if (former !== null) {
    await link(file, former)
    for (const log of logs) await linkIfExists(file + log, former + log)
    await toDisk(dirname(file))
  }
  for (const suffix of [...logs, '-shm']) await rm(file + suffix, { force: true })
  await rename(replacement, file)
  await toDisk(dirname(file))
}

async function linkIfExists(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
