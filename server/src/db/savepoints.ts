import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorCode } from '../errors/error-code.ts'
import { connect, sqliteFile } from './sqlite-connection.ts'

/**
 * Saves the rows of an SQLite database in memory and restores them within milliseconds, while a
 * server has it open. For the double: what is restored does not survive a power failure.
 */
export function openSavepoints(url: string) {
  const db = connect(sqliteFile(url), { timeout: 0 })
  db.pragma('synchronous = off')
  db.pragma('foreign_keys = off')
  const saved = new Set<string>()
  const tables = db
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
    )
    .pluck()
    .all()
  const inOneTransaction = (statement: (table: string) => string) =>
    db.transaction(() => db.exec(tables.map(statement).join(';')))
  return {
    /** Saves the rows under a name, in place of former ones. */
    save(point: string): void {
      if (saved.has(point)) db.exec(`detach ${point}`)
      db.exec(`attach ':memory:' as ${point}`)
      inOneTransaction(
        (table) => `create table ${point}.${table} as select * from main.${table}`,
      ).deferred()
      saved.add(point)
    },
    async restore(point: string): Promise<void> {
      const restore = inOneTransaction(
        (table) =>
          `delete from main.${table}; insert into main.${table} select * from ${point}.${table}`,
      )
      for (;;) {
        try {
          return void restore.immediate()
        } catch (error) {
          // A write of the server is running, which needs the event loop.
          if (errorCode(error) !== 'SQLITE_BUSY') throw error
          await nextTurn()
        }
      }
    },
    close: () => void db.close(),
  }
}
