import { access, copyFile } from 'node:fs/promises'
import { some } from '../check/finding.ts'
import { listFaults } from '../check/store/engine.ts'
import type { Config } from '../config/config.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import { type DatabaseToRead, openToRead } from '../db/read-only.ts'
import { connect } from '../db/sqlite-connection.ts'
import { findEncryption } from '../encryption/key.ts'
import { listKeyIds } from '../encryption/store/keys.ts'
import { systemRandom } from '../runtime/time.ts'
import { type Contents, countContents } from './store/contents.ts'

/** What a backup holds, and how many migrations the next start applies to it. */
export interface Judged extends Contents {
  readonly pendingMigrations: number
}

/** Copies a backup, with what a log beside it holds. */
export async function copyBackup(file: string, copy: string): Promise<void> {
  const hasLog = await access(`${file}-wal`).then(
    () => true,
    () => false,
  )
  // A backup has no log. Where there is one, SQLite alone reads the two as one, even while they change.
  if (!hasLog) return copyFile(file, copy)
  const source = connect(file, { readonly: true })
  try {
    await source.backup(copy)
  } finally {
    source.close()
  }
}

/**
 * Whether the copy of a backup is whole, is a database of Skillpass, and can be used by this version under
 * the keys that are set. Throws a sentence that names `file`, which it is a copy of.
 */
export async function judgeBackup(
  copy: string,
  file: string,
  config: Pick<Config, 'databaseUrl' | 'encryption'>,
): Promise<Judged> {
  try {
    const db = await openToRead(`file:${copy}`)
    try {
      return await judge(db, file, config)
    } finally {
      await db.close()
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new Error(`${file} cannot be restored: ${reason}. Take another backup.`, { cause: error })
  }
}

async function judge(
  db: DatabaseToRead,
  file: string,
  config: Parameters<typeof judgeBackup>[2],
): Promise<Judged> {
  const faults = await listFaults(db.read)
  if (faults.length > 0) {
    throw new Error(`${file} is damaged: ${some(faults)}. Take another backup.`)
  }
  const migrations = await migrationStatus(db)
  const applied = migrations.filter(({ appliedAt }) => appliedAt !== null)
  if (applied.length === 0) throw new Error(`${file} is not a Skillpass database.`)
  const unknown = applied.filter(({ isKnown }) => !isKnown).map(({ name }) => name)
  if (unknown.length > 0) {
    throw new Error(
      `${file} is from a newer Skillpass (${some(unknown)}). Restore it with that version.`,
    )
  }
  if (applied.some(({ name }) => name === '0012-at-rest')) await requireKeys(db, file, config)
  return {
    ...(await countContents(db.read)),
    pendingMigrations: migrations.length - applied.length,
  }
}

/** Refuses what no server could start with. */
async function requireKeys(
  { read }: DatabaseToRead,
  file: string,
  config: Parameters<typeof judgeBackup>[2],
): Promise<void> {
  const encryption = await findEncryption(config, systemRandom)
  const missing = (await listKeyIds(read)).filter((id) => !encryption?.keyIds.includes(id))
  if (missing.length === 0) return
  throw new Error(
    `${file} is sealed with the key ${some(missing)}, which is missing. Set it as ENCRYPTION_KEY, or in ENCRYPTION_KEY_PREVIOUS.`,
  )
}
