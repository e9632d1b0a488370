import type { Caller } from '../runtime/patience.ts'
import type { Database } from './database.ts'

/** The database as it is used for one caller: writes that have not begun when the caller leaves are dropped. */
export const writingFor = (db: Database, caller: Caller): Database => ({
  ...db,
  write: (work, options) => db.write(work, { caller, ...options }),
  writeInOrder: (order, work, options) => db.writeInOrder(order, work, { caller, ...options }),
  writeOnce: (work, options) => db.writeOnce(work, { caller, ...options }),
})
