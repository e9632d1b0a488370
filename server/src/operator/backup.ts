import { access, copyFile } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { type DatabaseToRead, openToRead } from '../db/read-only.ts'
import { connect } from '../db/sqlite-connection.ts'
import { messageOf } from '../errors/message-of.ts'
import { listMissingKeys, readSchema, some } from './database.ts'
import { countContents } from './store/counts.ts'
import { listFaults } from './store/faults.ts'

type Place = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

/** What a backup holds, and how many migrations the next start applies to it. */
export interface Judged extends Awaited<ReturnType<typeof countContents>> {
  readonly pendingMigrations: number
}

/** Copies a backup, with what a log beside it holds. */
export async function copyBackup(file: string, copy: string): Promise<void> {
  const hasLog = await access(`${file}-wal`).then(
    () => true,
    () => false,
  )
  if (!hasLog) return copyFile(file, copy)
  // Only SQLite reads file and log as one, even while they change.
  const source = connect(file, { readonly: true })
  try {
    await source.backup(copy)
  } finally {
    source.close()
  }
}

/**
 * Checks that the copy of a backup is whole, is a database of Skillpass, and can be used by this version
 * under the configured keys. Throws a sentence that names `file`, the original of the copy.
 */
export async function judgeBackup(copy: string, file: string, config: Place): Promise<Judged> {
  try {
    const db = await openToRead(`file:${copy}`)
    try {
      const fault = await findFault(db, file, config)
      if (fault !== undefined) throw new Error(fault)
      const { pending } = await readSchema(db)
      return { ...(await countContents(db.read)), pendingMigrations: pending }
    } finally {
      await db.close()
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    const reason = messageOf(error.cause ?? error)
    throw new Error(`${file} cannot be restored: ${reason}. Take another backup.`, { cause: error })
  }
}

async function findFault(
  db: DatabaseToRead,
  file: string,
  config: Place,
): Promise<string | undefined> {
  const faults = await listFaults(db.read)
  if (faults.length > 0) return `${file} is damaged: ${some(faults)}. Take another backup.`
  const { last, unknown } = await readSchema(db)
  if (last === undefined) return `${file} is not a Skillpass database.`
  if (unknown.length > 0) {
    return `${file} is from a newer Skillpass (${some(unknown)}). Restore it with that version.`
  }
  const missing = await listMissingKeys(db, config)
  if (missing.length === 0) return undefined
  return `${file} is sealed with the key ${some(missing)}, which is missing. Set it as ENCRYPTION_KEY, or append it there with a comma.`
}
