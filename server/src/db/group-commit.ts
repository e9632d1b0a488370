import { setTimeout as pause } from 'node:timers/promises'
import type { Database as Connection } from 'better-sqlite3'
import type { DatabaseConnection } from 'kysely'
import { errorCode } from '../errors/error-code.ts'
import type { WriteOptions } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { translateSqlite } from './sqlite-errors.ts'
import { runWork, type Work } from './work.ts'

/** A write that waits for its turn. `run` gives what to call once the commit is durable. */
interface Waiting {
  readonly since: number
  readonly patienceMs: number
  run(): Promise<() => void>
  reject(error: unknown): void
}

const batchSize = 256
/** A batch ends after this long, so that the event loop and other processes get their turn. */
const batchMs = 5
/** The longest that a write waits for others to share its commit. */
const gatherMs = 20
/** How long a write waits for a lock that another process holds. */
const lockPatienceMs = 5_000
const longPatienceMs = 10 * 60_000

/**
 * Gathers concurrent writes into one transaction: at `synchronous=FULL` the commit is what costs,
 * and it costs the same for one write as for many. Every write has its own savepoint, so one that
 * fails is undone alone.
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
      else await giveWay(blocked)
    }
    flushing = undefined
  }

  /** Waits as long as each turn of the event loop brings further writes: all of them share the commit. */
  async function gather(): Promise<void> {
    const end = performance.now() + gatherMs
    let before: number
    do {
      before = queue.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (queue.length > before && queue.length < batchSize && performance.now() < end)
  }

  /** Opens the transaction, or gives the error that kept it from opening. */
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
      // The disk fails even this; the next batch tries it again before it begins.
    }
  }

  async function giveWay(error: unknown): Promise<void> {
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
      // Nothing of this batch is kept: every caller learns it, and the connection is free again.
      undoAll()
      const failure = translateSqlite(error, db.name)
      current?.reject(failure)
      for (const { waiting } of done) waiting.reject(failure)
      return
    }
    for (const { resolve } of done) resolve()
  }

  /** Runs one write under its savepoint; undefined when it failed and was undone alone. */
  async function runOne(waiting: Waiting): Promise<(() => void) | undefined> {
    savepoint.run()
    try {
      const resolve = await waiting.run()
      release.run()
      return resolve
    } catch (error) {
      waiting.reject(error)
      // A full disk or an I/O error makes SQLite roll back the whole transaction by itself.
      if (!db.inTransaction) throw new DatabaseUnavailable('the transaction was undone', error)
      undo.run()
      release.run()
      return undefined
    }
  }

  return {
    write,
    /** Refuses new writes and resolves when those queued are done. */
    close: async (): Promise<void> => {
      closed = true
      await flushing
    },
  }
}
