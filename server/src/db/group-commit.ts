import { setTimeout as pause } from 'node:timers/promises'
import type { Database as Connection } from 'better-sqlite3'
import type { DatabaseConnection } from 'kysely'
import { errorCode } from '../errors/error-code.ts'
import type { WriteOptions } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { runWork, type Work } from './handle.ts'
import { translateSqlite } from './sqlite-connection.ts'

/** A queued write. `run` returns a callback for when the commit is durable. */
interface Waiting {
  readonly since: number
  readonly patienceMs: number
  run(): Promise<() => void>
  reject(error: unknown): void
}

const batchSize = 256
/** Longest duration of a batch, ms, so that the event loop and other processes get their turn. */
const batchMs = 5
/** Longest time that a write waits for others to share its commit, ms. */
const gatherMs = 20
/** How long a write waits for a lock of another process, ms. */
const lockPatienceMs = 5_000
const longPatienceMs = 10 * 60_000

/**
 * Batches concurrent writes into one transaction, because at `synchronous=FULL` a commit costs the
 * same for one write as for many. Each write has its own savepoint, so a failed write is rolled
 * back alone.
 */
export function createGroupCommit(db: Connection, connection: DatabaseConnection) {
  const queue: Waiting[] = []
  let flushing: Promise<void> | undefined
  let closed = false
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')
  const savepoint = db.prepare('savepoint work')
  const release = db.prepare('release work')
  const undo = db.prepare('rollback to work')

  function write<T>(work: Work<T>, { isLong }: WriteOptions = {}): Promise<T> {
    if (closed) return Promise.reject(new DatabaseUnavailable('it is closed'))
    return new Promise<T>((resolve, reject) => {
      queue.push({
        since: performance.now(),
        patienceMs: isLong ? longPatienceMs : lockPatienceMs,
        reject,
        run: async () => {
          const value = await runWork('sqlite', connection, work)
          return () => resolve(value)
        },
      })
      flushing ??= flush()
    })
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      await gather()
      const blocked = tryBegin()
      if (blocked === undefined) await runBatch()
      else await backOff(blocked)
    }
    flushing = undefined
  }

  /** Waits while each turn of the event loop adds writes, so that they all share the commit. */
  async function gather(): Promise<void> {
    const end = performance.now() + gatherMs
    let before: number
    do {
      before = queue.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (queue.length > before && queue.length < batchSize && performance.now() < end)
  }

  function tryBegin(): unknown {
    try {
      if (db.inTransaction) rollback.run()
      begin.run()
      return undefined
    } catch (error) {
      return error
    }
  }

  function undoAll(): void {
    try {
      if (db.inTransaction) rollback.run()
    } catch {
      // The rollback failed too. The next batch retries it before it begins.
    }
  }

  async function backOff(error: unknown): Promise<void> {
    const busy = errorCode(error).startsWith('SQLITE_BUSY')
    const now = performance.now()
    for (const waiting of queue.splice(0)) {
      if (busy && now - waiting.since < waiting.patienceMs) queue.push(waiting)
      else waiting.reject(translateSqlite(error, db.name))
    }
    if (busy) await pause(10 + Math.random() * 50)
  }

  async function runBatch(): Promise<void> {
    const done: { waiting: Waiting; resolve: () => void }[] = []
    let current: Waiting | undefined
    try {
      const end = performance.now() + batchMs
      for (let taken = 0; taken < batchSize && performance.now() < end; taken += 1) {
        current = queue.shift()
        if (!current) break
        const resolve = await runOne(current)
        if (resolve) done.push({ waiting: current, resolve })
        current = undefined
      }
      commit.run()
    } catch (error) {
      // The batch is rolled back: reject every caller and free the connection.
      undoAll()
      const failure = translateSqlite(error, db.name)
      current?.reject(failure)
      for (const { waiting } of done) waiting.reject(failure)
      return
    }
    for (const { resolve } of done) resolve()
  }

  /** Runs one write under a savepoint. Returns undefined if it failed and was rolled back. */
  async function runOne(waiting: Waiting): Promise<(() => void) | undefined> {
    savepoint.run()
    try {
      const resolve = await waiting.run()
      release.run()
      return resolve
    } catch (error) {
      waiting.reject(error)
      // On a full disk or an I/O error, SQLite rolls back the whole transaction.
      if (!db.inTransaction) throw new DatabaseUnavailable('the transaction was undone', error)
      undo.run()
      release.run()
      return undefined
    }
  }

  return {
    write,
    /** Rejects new writes and resolves when the queued writes are done. */
    close: async (): Promise<void> => {
      closed = true
      await flushing
    },
  }
}
