import type { Database, Order } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import type { Db } from './handle.ts'
import type { Connections, LentConnection } from './postgres-connections.ts'
import { givenUp, mayRunAgain, send } from './postgres-transact.ts'
import { runWork, workTimeoutMs } from './work.ts'

/** A work that waits for its turn. `run` gives what to call once the commit is durable. */
interface Waiting {
  readonly signal: AbortSignal | undefined
  attempt: number
  run(connection: LentConnection, number: number): Promise<() => void>
  reject(error: unknown): void
}

/** Postgres keeps 64 subtransactions of a transaction at hand; more make every snapshot slower. */
const batchSize = 60
/** A batch ends after this long, ms, so that other nodes get their turn. */
const batchMs = 50

export interface Turns {
  readonly write: Database['writeInOrder']
  /** Resolves when all that wait have had their turn. */
  settled(): Promise<void>
}

/** Lets works of one order take turns: a node has one transaction for all that wait, and nodes alternate. */
export function createTurns(connections: Connections): Turns {
  const groups = new Map<Order, Group>()
  return {
    write: (order, work, { signal, timeoutMs = workTimeoutMs } = {}) => {
      const group = groups.get(order) ?? createGroup(connections, order)
      groups.set(order, group)
      return new Promise((resolve, reject) => {
        group.add({
          signal,
          attempt: 1,
          reject,
          run: async (connection, number) => {
            const numbered = (trx: Db) => work(trx, number)
            const value = await runWork('postgres', connection, numbered, timeoutMs)
            return () => resolve(value)
          },
        })
      })
    },
    settled: async () => {
      await Promise.all([...groups.values()].map((group) => group.settled()))
    },
  }
}

interface Group {
  add(waiting: Waiting): void
  settled(): Promise<void>
}

function createGroup(connections: Connections, order: Order): Group {
  const queue: Waiting[] = []
  let flushing: Promise<void> | undefined

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      // Everything that arrives in the same turn of the event loop shares the commit.
      await new Promise((resolve) => setImmediate(resolve))
      const batch = takeBatch()
      if (batch.length > 0) await runBatch(batch)
    }
    flushing = undefined
  }

  /** Takes those whose turn it is; those whose callers have left are dropped, never begun. */
  function takeBatch(): Waiting[] {
    const batch: Waiting[] = []
    while (batch.length < batchSize) {
      const next = queue.shift()
      if (!next) break
      if (next.signal?.aborted) next.reject(next.signal.reason)
      else batch.push(next)
    }
    return batch
  }

  async function runBatch(batch: Waiting[]): Promise<void> {
    const done: { waiting: Waiting; resolve: () => void }[] = []
    let current: Waiting | undefined
    let connection: LentConnection | undefined
    let number: number | undefined
    try {
      connection = await connections.lend()
      void send(connection, 'begin')
      const take = (trx: Db) => order.take(trx, batch.length)
      number = await runWork('postgres', connection, take, workTimeoutMs)
      // From here on: other nodes had their turn while this one waited for its own.
      const end = performance.now() + batchMs
      do {
        current = batch.shift()
        if (!current) break
        const resolve = await runOne(connection, current, number++)
        if (resolve) done.push({ waiting: current, resolve })
        current = undefined
      } while (performance.now() < end)
      await send(connection, 'commit')
      connection.release()
    } catch (error) {
      // Nothing of this batch is kept, unless the connection was lost at the commit itself.
      connection?.destroy()
      if (current) fail(current, error)
      for (const { waiting } of done) fail(waiting, error)
      // Where it could not even begin, those behind would only wait for the same failure once more.
      if (number === undefined) for (const waiting of batch.splice(0)) fail(waiting, error)
      return
    } finally {
      queue.unshift(...batch)
    }
    for (const { resolve } of done) resolve()
  }

  /** Runs one work under a savepoint; undefined when it failed and was undone alone. */
  async function runOne(
    connection: LentConnection,
    waiting: Waiting,
    number: number,
  ): Promise<(() => void) | undefined> {
    if (waiting.signal?.aborted) {
      waiting.reject(waiting.signal.reason)
      return undefined
    }
    // Not released: the commit does it for all of them, and a rollback goes to the last of the name.
    void send(connection, 'savepoint work')
    try {
      return await waiting.run(connection, number)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      await send(connection, 'rollback to work')
      fail(waiting, error)
      return undefined
    }
  }

  /** Queues a work that was certainly undone once more, or tells its caller. */
  function fail(waiting: Waiting, error: unknown): void {
    if (mayRunAgain(error, waiting.attempt++)) queue.push(waiting)
    else waiting.reject(givenUp(error))
  }

  return {
    add(waiting) {
      queue.push(waiting)
      flushing ??= flush()
    },
    settled: async () => flushing,
  }
}
