import { chmod, chown, realpath, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { holdSqlite, replaceSqlite } from '../db/replace-sqlite.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { isoTime } from '../runtime/time.ts'
import { copyBackup, type Judged, judgeBackup } from './backup.ts'

type Place = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

/** What was restored. */
export interface Restored extends Judged {
  /** The database that was replaced. */
  readonly database: string
  /** Where the former database is kept; null where there was none. */
  readonly former: string | null
  /** What was wrong with the former one, where SQLite could not read it; null otherwise. */
  readonly damage: string | null
}

/**
 * Puts a backup in the place of the configured database, a file of SQLite, which is kept under another
 * name. `record` writes into the restored one that it was. However it ends, the former or the restored
 * database stands there whole. Throws a sentence, having changed neither, where the file is no backup
 * that this version can use, and while another process has the database open.
 */
export async function restoreDatabase(
  config: Place,
  file: string,
  { now, record }: { readonly now: number; record(restored: Database): Promise<void> },
): Promise<Restored> {
  if (!config.databaseUrl.startsWith('file:')) {
    throw new Error('A Postgres database is restored with pg_restore, not with this command.')
  }
  const source = await realpath(file).catch(() => fail(`There is no ${resolve(file)}.`))
  const { database, exists } = await locate(sqliteFile(config.databaseUrl))
  if (source === database) fail(`${source} is the database itself. Name a backup of it.`)
  const held = exists ? await holdSqlite(database) : undefined
  const copy = `${database}.restoring`
  try {
    await removeDatabase(copy)
    await copyBackup(source, copy)
    const judged = await judgeBackup(copy, source, config)
    await complete(copy, exists ? database : undefined, record)
    const former = exists ? `${database}.before-restore-${stamp(now)}` : null
    await replaceSqlite(database, copy, former)
    return { ...judged, database, former, damage: held?.damage ?? null }
  } finally {
    held?.release()
    await removeDatabase(copy)
  }
}

function fail(sentence: string): never {
  throw new Error(sentence)
}

/** Where the file is that a name leads to; its folder is made where it is missing. */
async function locate(file: string): Promise<{ database: string; exists: boolean }> {
  await makeFolder(dirname(file))
  try {
    return { database: await realpath(file), exists: true }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return { database: file, exists: false }
  }
}

/** Writes the record into the copy, and gives it the owner of the database that it stands in for. */
async function complete(
  copy: string,
  database: string | undefined,
  record: (restored: Database) => Promise<void>,
): Promise<void> {
  const db = await openDatabase(`file:${copy}`)
  try {
    await record(db)
  } finally {
    await db.close()
  }
  if (database === undefined) return
  const { uid, gid, mode } = await stat(database)
  await chmod(copy, mode)
  await chown(copy, uid, gid).catch((error: unknown) => {
    // Only root may give a file away; others keep what they own.
    if (errorCode(error) !== 'EPERM') throw error
  })
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true })
}

/** A time as the name of a file has it. */
const stamp = (time: number) => isoTime(time).replace(/[-:]/g, '')
