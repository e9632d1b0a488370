import { loadConfig } from '../config.ts'
import { migrateUp } from '../db/migrate.ts'
import { type Database, openDatabase } from '../db/open.ts'

/** Runs `work` on the configured database and closes it, whatever happens. */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(loadConfig().databaseUrl)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** The same on a database that has been brought up to date first. */
export const withCurrentDatabase = <T>(work: (db: Database) => Promise<T>): Promise<T> =>
  withDatabase(async (db) => {
    await migrateUp(db)
    return work(db)
  })
