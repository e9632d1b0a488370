import { type Database, openDatabase } from '@skillpass/server/db/open'
import { ceilingMs } from '../../support/waiting.ts'

/** Limits of a database that no busy machine exceeds. */
const limits = {
  ...{ statement: ceilingMs, connection: ceilingMs, suspicion: ceilingMs, probe: ceilingMs },
  pause: 100,
}

/** Opens a database at which a slow machine ends nothing. */
export const openPatiently = (url: string): Promise<Database> => openDatabase(url, { limits })
