import { link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database as Connection } from 'better-sqlite3'
import { errorCode } from '../errors/error-code.ts'
import { toDisk } from '../runtime/to-disk.ts'
import { connect } from './sqlite-connection.ts'
import { translateSqlite } from './sqlite-errors.ts'

/** What SQLite keeps beside a file, and would read into any other file of that name. */
const logs = ['-wal', '-journal'] as const

const busyMs = 1_000

/**
 * Takes a database for this process alone until what it gives is called, and brings its log into the file,
 * so that the file is all of it; one that is damaged is left as it is. Throws `DatabaseUnavailable` while
 * another process has it open, and where the disk fails.
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

/** False for a database that is damaged, and closed then. */
function settle(held: Connection): boolean {
  try {
    // With this, the lock that keeps others out is taken before anything of the file is believed.
    held.pragma('locking_mode = exclusive')
    held.exec('begin exclusive; commit')
    held.pragma('journal_mode = delete')
    // Nothing beside the file is this connection's from here on, which would delete it at its close.
    held.pragma('journal_mode = memory')
    return true
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(errorCode(error))) throw error
    held.close()
    return false
  }
}

/**
 * Puts `replacement` in the place of `file`, which lives on as `former`, with the log of a damaged one;
 * null where there is none. However it ends, the one or the other stands there whole. Both are on one
 * disk; `file` is held.
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
