import { access } from 'node:fs/promises'
import type { Database } from './database.ts'
import { createHandle } from './handle.ts'
import { openPostgres, patientLimits } from './postgres.ts'
import { asKyselyConnection, connect, sqliteFile } from './sqlite-connection.ts'

export type DatabaseToRead = Pick<Database, 'dialect' | 'read' | 'close'>

/** How long to wait for a lock, ms. */
const busyMs = 5_000

/**
 * Opens a database for reading. It neither creates an SQLite file nor changes its mode. Throws
 * `DatabaseUnavailable` if the database does not exist.
 */
export async function openToRead(url: string): Promise<DatabaseToRead> {
  if (!url.startsWith('file:')) return openPostgres(url, { poolSize: 2, limits: patientLimits })
  const file = sqliteFile(url)
  await access(file)
  const connection = connect(file, { readonly: true, timeout: busyMs })
  const kyselyConnection = asKyselyConnection(connection)
  return {
    dialect: 'sqlite',
    read: createHandle('sqlite', (use) => use(kyselyConnection)),
    close: async () => {
      connection.close()
    },
  }
}
