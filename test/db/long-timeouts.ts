import { type Database, openDatabase } from '@skillpass/server/testing'
import { afterFile } from '../support/cleanup.ts'
import { createServerDatabase, type Engine } from '../support/databases.ts'
import { ceilingMs } from '../support/waiting.ts'

/** Opens a database with long timeouts, for slow machines. */
export const openWithLongTimeouts = (url: string): Promise<Database> =>
  openDatabase(url, { limits: { statement: ceilingMs, connection: ceilingMs } })

/** Creates a migrated database with long timeouts, which is removed after the file's tests. */
export async function createDatabaseWithLongTimeouts(
  engine: Engine,
): Promise<{ db: Database; url: string }> {
  const { url, remove } = await createServerDatabase(engine)
  afterFile(remove)
  const db = await openWithLongTimeouts(url)
  afterFile(() => db.close())
  return { db, url }
}
