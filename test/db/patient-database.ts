import { type Database, openDatabase } from '@skillpass/server/db/open'
import { afterFile } from '../support/cleanup.ts'
import { createServerDatabase, type Engine } from '../support/databases.ts'
import { ceilingMs } from '../support/waiting.ts'

/** Opens a database at which a slow machine ends nothing. */
export const openPatiently = (url: string): Promise<Database> =>
  openDatabase(url, { limits: { statement: ceilingMs, connection: ceilingMs } })

/** A migrated database at which a slow machine ends nothing; it is removed after the file's tests. */
export async function patientDatabase(engine: Engine): Promise<{ db: Database; url: string }> {
  const { url, remove } = await createServerDatabase(engine)
  afterFile(remove)
  const db = await openPatiently(url)
  afterFile(() => db.close())
  return { db, url }
}
