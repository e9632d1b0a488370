import { access, chmod, chown, copyFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { holdSqlite, replaceSqlite } from '../db/replace-sqlite.ts'
import { connect, sqliteFile } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { isoTime } from '../runtime/time.ts'
import { checkDatabase } from './check.ts'

type Place = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

/** What was restored. */
export interface Restored {
  /** The database that was replaced. */
  readonly database: string
  /** Where the former database is kept; null where there was none. */
  readonly former: string | null
}

/**
 * Puts a backup in the place of the configured database, a file of SQLite, which is kept under another
 * name. However it ends, the former or the restored database stands there whole. Throws a sentence, having
 * changed neither, where the file is no backup that this version can use, and while another process has
 * the database open.
 */
export async function restoreDatabase(config: Place, file: string, now: number): Promise<Restored> {
  if (!config.databaseUrl.startsWith('file:')) {
    throw new Error('A Postgres database is restored with pg_restore, not with this command.')
  }
  if (!(await isThere(file))) throw new Error(`There is no ${resolve(file)}.`)
  const source = await realpath(file)
  const place = sqliteFile(config.databaseUrl)
  await makeFolder(dirname(place))
  const exists = await isThere(place)
  const database = exists ? await realpath(place) : place
  if (source === database) {
    throw new Error(`${source} is the database itself. Name a backup of it.`)
  }
  const release = exists ? await holdSqlite(database) : undefined
  const copy = `${database}.restoring`
  try {
    await removeDatabase(copy)
    await copyBackup(source, copy)
    await refuseUnusable(config, source, copy)
    if (exists) await giveOwner(copy, database)
    const stamp = isoTime(now).replace(/[-:]/g, '')
    const former = exists ? `${database}.before-restore-${stamp}` : null
    await replaceSqlite(database, copy, former)
    return { database, former }
  } finally {
    release?.()
    await removeDatabase(copy)
  }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Copies a backup, with what a log beside it holds. */
async function copyBackup(file: string, copy: string): Promise<void> {
  if (!(await isThere(`${file}-wal`))) return copyFile(file, copy)
  // Only SQLite reads file and log as one, even while they change.
  const source = connect(file, { readonly: true })
  try {
    await source.backup(copy)
  } finally {
    source.close()
  }
}

/** Throws the first problem of the copy of a backup. */
async function refuseUnusable(config: Place, file: string, copy: string): Promise<void> {
  const cure = 'Take another backup'
  const checks = await checkDatabase(config, { url: `file:${copy}`, name: file, cure })
  const problem = checks.find(({ state }) => state === 'wrong')
  if (problem) {
    throw new Error(`The backup cannot be restored: ${problem.says}. ${problem.remedy}.`)
  }
}

/** Gives a file the owner and the mode of another one. */
async function giveOwner(file: string, example: string): Promise<void> {
  const { uid, gid, mode } = await stat(example)
  await chmod(file, mode)
  await chown(file, uid, gid).catch((error: unknown) => {
    // Only root may give a file away; others keep what they own.
    if (errorCode(error) !== 'EPERM') throw error
  })
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true })
}
