import { access, chmod, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database as Connection } from 'better-sqlite3'
import { errorCode } from '../errors/error-code.ts'
import type { Database } from './database.ts'
import { makeFolder } from './files.ts'
import { createGroupCommit } from './group-commit.ts'
import { createHandle } from './handle.ts'
import { asKyselyConnection, connect, sqliteFile, translateSqlite } from './sqlite-connection.ts'

/** Maximum time that a lock blocks the event loop, ms. Longer waits are asynchronous. */
const writerBusyMs = 50
const readerBusyMs = 200
const openPatienceMs = 5_000
const privateMode = 0o600

/** Opens the file of a `file:` URL. Creates the file and its folder if they are missing. */
export async function openSqlite(url: string): Promise<Database> {
  const file = sqliteFile(url)
  await makePrivate(file).catch((error: unknown) => {
    throw translateSqlite(error, file)
  })
  const writer = connect(file, { timeout: writerBusyMs })
  let reader: Connection
  try {
    await whenUnlocked(() => makeDurable(writer))
    reader = connect(file, { readonly: true, timeout: readerBusyMs })
    reader.pragma('cache_size = -32000')
  } catch (error) {
    writer.close()
    // A restore held the lock and has replaced the file.
    if (errorCode(error) === 'SQLITE_READONLY_DBMOVED') return openSqlite(url)
    throw translateSqlite(error, file)
  }

  const writes = createGroupCommit(writer, asKyselyConnection(writer))
  return {
    read: handleOf(reader),
    write: writes.write,
    ping: async () => {
      try {
        reader.prepare('select 1 from sqlite_master').get()
      } catch (error) {
        throw translateSqlite(error, file)
      }
    },
    isAway: () => false,
    backup: (target) => backup(writer, resolve(target)),
    close: async () => {
      await writes.close()
      reader.close()
      // The last connection that closes checkpoints the log into the file.
      writer.close()
    },
  }
}

export async function openSqliteToRead(url: string) {
  const file = sqliteFile(url)
  await access(file)
  const reader = connect(file, { readonly: true, timeout: openPatienceMs })
  return { read: handleOf(reader), close: async () => void reader.close() }
}

function handleOf(db: Connection) {
  const connection = asKyselyConnection(db)
  return createHandle('sqlite', (use) => use(connection))
}

/**
 * Restricts the file and its companions to the owner, whatever the umask; creates it if it is
 * missing. SQLite gives new companion files the mode of the database.
 */
async function makePrivate(file: string): Promise<void> {
  await makeFolder(dirname(file))
  const handle = await open(file, 'a', privateMode)
  await handle.close()
  for (const suffix of ['', '-wal', '-shm']) {
    await chmod(file + suffix, privateMode).catch((error: unknown) => {
      // Keep the mode of a file that another user owns, such as a group's shared database.
      if (!['ENOENT', 'EPERM'].includes(errorCode(error))) throw error
    })
  }
}

/** Retries while another process, starting at the same time, switches to WAL. */
async function whenUnlocked(act: () => void): Promise<void> {
  const end = performance.now() + openPatienceMs
  for (;;) {
    try {
      return act()
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_BUSY') || performance.now() > end) throw error
      await pause(10 + Math.random() * 50)
    }
  }
}

/**
 * Sets the pragmas that keep acknowledged commits through a power failure. Throws if they do not
 * take effect. better-sqlite3's default for WAL is `synchronous=NORMAL`, which can lose commits.
 */
export function makeDurable(db: Connection): void {
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.pragma('foreign_keys = on')
  // Overwrites deleted content with zeros.
  db.pragma('secure_delete = on')
  db.pragma('journal_size_limit = 67108864')
  db.pragma('cache_size = -32000')
  const journal = db.pragma('journal_mode', { simple: true })
  const synchronous = db.pragma('synchronous', { simple: true })
  if (journal !== 'wal' || synchronous !== 2) {
    throw new Error(
      `SQLite runs ${db.name} with journal_mode=${journal} and synchronous=${synchronous}, so a ` +
        'power failure could lose acknowledged writes. Skillpass needs wal and 2 (FULL). Put the ' +
        'database on a local, writable disk.',
    )
  }
}

/**
 * Copies the database while it is in use. Only the owner can read the copy. Writes of this process
 * are included, but writes of another process restart the copy. The file gets its name when it is
 * complete.
 */
async function backup(db: Connection, target: string): Promise<void> {
  const existing = await realpath(target).catch(() => target)
  if (existing === (await realpath(db.name))) {
    throw new Error(`${target} is the database itself. Choose another file for the backup.`)
  }
  const partial = `${target}.partial`
  await rm(partial, { force: true })
  try {
    const handle = await open(partial, 'wx', privateMode)
    await handle.chmod(privateMode)
    await handle.close()
    await db.backup(partial, { progress: allAtOnceAfterRestart() })
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Returns a function that chooses how many pages the next step copies: few, so that this process
 * stays responsive. After a write of another process has restarted the copy, one step copies all
 * pages, because writes cannot interrupt a step.
 */
function allAtOnceAfterRestart() {
  let remaining = Number.POSITIVE_INFINITY
  let pages = 100
  return ({ remainingPages }: { remainingPages: number }) => {
    if (remainingPages > remaining) pages = 0x7fffffff
    remaining = remainingPages
    return pages
  }
}
