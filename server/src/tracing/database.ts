import type { DatabaseConnection } from 'kysely'
import { createHandle } from '../db/handle.ts'
import type { Database, Db } from '../db/open.ts'

/** Runs what a span covers; `run` gets the means to run work under it that begins elsewhere. */
export type Follow = <T>(
  name: string,
  attributes: Readonly<Record<string, string>>,
  run: (under: <R>(work: () => Promise<R>) => Promise<R>) => Promise<T>,
) => Promise<T>

/** Longest text of a statement that is told, characters. */
const longestText = 2000

/** The verb of a statement and the first table it names: `select skills`. */
export function summarize(sql: string): string {
  const [verb = 'query'] = /^\w+/.exec(sql) ?? []
  const [, table] = /\b(?:from|into|update|join)\s+"?(\w+)/i.exec(sql) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}

/**
 * A database whose statements and transactions are followed. Values are parameters of statements and
 * are not told.
 */
export function followDatabase(db: Database, follow: Follow): Database {
  const system = { 'db.system.name': db.dialect === 'sqlite' ? 'sqlite' : 'postgresql' }

  const followConnection = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: (query) =>
      follow(
        summarize(query.sql),
        { ...system, 'db.query.text': query.sql.slice(0, longestText) },
        () => connection.executeQuery(query),
      ),
    streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
  })
  const followHandle = (handle: Db): Db =>
    createHandle(db.dialect, (use) =>
      handle.getExecutor().provideConnection((connection) => use(followConnection(connection))),
    )

  return {
    ...db,
    read: followHandle(db.read),
    write: (work, options) =>
      follow('transaction', system, (under) =>
        // Writes that commit together begin in the context of whichever came first.
        db.write((trx) => under(() => work(followHandle(trx))), options),
      ),
    writeInOrder: (order, work, options) =>
      follow('transaction', system, (under) =>
        db.writeInOrder(
          order,
          (trx, number) => under(() => work(followHandle(trx), number)),
          options,
        ),
      ),
    writeOnce: (work, options) =>
      follow('transaction', system, (under) =>
        db.writeOnce((trx) => under(() => work(followHandle(trx))), options),
      ),
  }
}
