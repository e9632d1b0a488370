import { access } from 'node:fs/promises'
import type { Database } from './database.ts'
import { createHandle } from './handle.ts'
import { openPostgres, patientLimits } from './postgres.ts'
import { asKyselyConnection, connect, sqliteFile } from './sqlite-connection.ts'

/** A database that is only looked at. */
export type DatabaseToRead = Pick<Database, 'dialect' | 'read' | 'close'>

/** How long a lock is waited for, ms. */
const busyMs = 5_000

/**
 * Opens a database to read: a file of SQLite is neither made nor given another mode. Throws
 * `DatabaseUnavailable` where there is none.
 */
export async function openToRead(url: string): Promise<DatabaseToRead> {
  if (!url.startsWith('file:')) return openPostgres(url, { poolSize: 2, limits: patientLimits })
  const file = sqliteFile(url)
  await access(file)
  const connection = connect(file, { readonly: true, timeout: busyMs })
  const own = asKyselyConnection(connection)
  return {
    dialect: 'sqlite',
    read: createHandle('sqlite', (use) => use(own)),
    close: async () => {
      connection.close()
    },
  }
}
