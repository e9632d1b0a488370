import type { Database } from './database.ts'

/** The database as one request uses it: writes that have not begun when its client leaves are dropped. */
export const writingFor = (db: Database, signal: AbortSignal): Database => ({
  ...db,
  write: (work, options) => db.write(work, { signal, ...options }),
  writeInOrder: (order, work, options) => db.writeInOrder(order, work, { signal, ...options }),
  writeOnce: (work, options) => db.writeOnce(work, { signal, ...options }),
})
