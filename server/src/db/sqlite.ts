import { chmod, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database as Connection } from 'better-sqlite3'
import { errorCode } from '../errors/error-code.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import type { Database } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import { createHandle } from './handle.ts'
import { asKyselyConnection, connect, sqliteFile } from './sqlite-connection.ts'
import { translateSqlite } from './sqlite-errors.ts'

/** How long the event loop may stand still for a lock; longer waits are retried asynchronously. */
const writerBusyMs = 50
const readerBusyMs = 200
const openPatienceMs = 5_000
/** For the owner alone. */
const privateMode = 0o600

/** Opens (and makes, folder included) the file of a `file:` URL; relative to the working directory. */
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
    // A restore held the lock, and has put another file in the place of this one.
    if (errorCode(error) === 'SQLITE_READONLY_DBMOVED') return openSqlite(url)
    throw translateSqlite(error, file)
  }

  const readerConnection = asKyselyConnection(reader)
  const writes = createGroupCommit(writer, asKyselyConnection(writer))
  return {
    dialect: 'sqlite',
    read: createHandle('sqlite', (use) => use(readerConnection)),
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
      // The last connection to close checkpoints the log into the file.
      writer.close()
    },
  }
}

/**
 * Makes the file, or takes an existing one, with what SQLite keeps beside it, from all but its owner:
 * whatever the umask. SQLite gives its further files the mode of the first.
 */
async function makePrivate(file: string): Promise<void> {
  await makeFolder(dirname(file))
  const handle = await open(file, 'a', privateMode)
  await handle.close()
  for (const suffix of ['', '-wal', '-shm']) {
    await chmod(file + suffix, privateMode).catch((error: unknown) => {
      // Another's file, as where a group shares it, is left as its owner wants it.
      if (!['ENOENT', 'EPERM'].includes(errorCode(error))) throw error
    })
  }
}

/** Processes that start together lock each other out while the first one turns WAL on. */
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
 * Sets what keeps every acknowledged commit through a power cut, and refuses to go on without it.
 * better-sqlite3 leaves a WAL connection at `synchronous=NORMAL`, which loses commits.
 */
export function makeDurable(db: Connection): void {
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.pragma('foreign_keys = on')
  // What is deleted or overwritten is gone from the page, too.
  db.pragma('secure_delete = on')
  db.pragma('journal_size_limit = 67108864')
  db.pragma('cache_size = -32000')
  const journal = db.pragma('journal_mode', { simple: true })
  const synchronous = db.pragma('synchronous', { simple: true })
  if (journal !== 'wal' || synchronous !== 2) {
    throw new Error(
      `SQLite runs ${db.name} with journal_mode=${journal} and synchronous=${synchronous}, so a ` +
        'power cut could lose what was acknowledged. Skillpass needs wal and 2 (FULL): put the ' +
        'database on a local, writable disk.',
    )
  }
}

/**
 * Copies the database while it is written to, for its owner's eyes alone. On the writer's own connection the copy follows the
 * writes; the writes of another process start it anew. The copy appears under its name only when it
 * is whole.
 */
async function backup(db: Connection, target: string): Promise<void> {
  const existing = await realpath(target).catch(() => target)
  if (existing === (await realpath(db.name))) {
    throw new Error(`${target} is the database itself; name another file for the backup.`)
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
 * Pages for the next step: a few, so that this process goes on meanwhile. Once another process has
 * made the copy start anew, the rest in one step, which its writes cannot disturb, nor it them.
 */
function allAtOnceAfterRestart() {
  let left = Number.POSITIVE_INFINITY
  let pages = 100
  return ({ remainingPages }: { remainingPages: number }) => {
    if (remainingPages > left) pages = 0x7fffffff
    left = remainingPages
    return pages
  }
}
