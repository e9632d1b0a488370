import { access, chmod, chown, copyFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../db/files.ts'
import { holdSqlite, replaceSqlite } from '../db/replace-sqlite.ts'
import { connect, sqliteFile } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import type { Config } from '../runtime/config/config.ts'
import { isoTime } from '../runtime/time.ts'
import { checkDatabase } from './check.ts'

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

/**
 * Replaces the configured SQLite database with a backup and keeps the previous database, if any,
 * under another name. Returns both paths. After a crash at any point, the file is the previous or
 * the restored database, intact. Throws without changing either if this version cannot use the
 * backup or another process has the database open.
 */
export async function restoreDatabase(config: DatabaseConfig, file: string, now: number) {
  if (!config.databaseUrl.startsWith('file:')) {
    throw new Error(
      'This command restores only SQLite databases. Restore a Postgres database with pg_restore.',
    )
  }
  if (!(await exists(file))) throw new Error(`There is no file ${resolve(file)}.`)
  const source = await realpath(file)
  const path = sqliteFile(config.databaseUrl)
  await makeFolder(dirname(path))
  const isReplacing = await exists(path)
  const database = isReplacing ? await realpath(path) : path
  if (source === database) {
    throw new Error(`${source} is the database itself. Name a backup instead.`)
  }
  const release = isReplacing ? await holdSqlite(database) : undefined
  const copy = `${database}.restoring`
  try {
    await removeDatabase(copy)
    await copyBackup(source, copy)
    await assertUsable(config, source, copy)
    if (isReplacing) await copyOwnership(copy, database)
    const stamp = isoTime(now).replace(/[-:]/g, '')
    const former = isReplacing ? `${database}.before-restore-${stamp}` : null
    await replaceSqlite(database, copy, former)
    return { database, former }
  } finally {
    release?.()
    await removeDatabase(copy)
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Copies a backup, including the write-ahead log beside it. */
async function copyBackup(file: string, copy: string): Promise<void> {
  if (!(await exists(`${file}-wal`))) return copyFile(file, copy)
  // SQLite reads the file and its log consistently, even while they change.
  const source = connect(file, { readonly: true })
  try {
    await source.backup(copy)
  } finally {
    source.close()
  }
}

/** Throws the first problem that a check of the copy finds. */
async function assertUsable(config: DatabaseConfig, file: string, copy: string): Promise<void> {
  const checks = await checkDatabase(config, { url: `file:${copy}`, name: file })
  const problem = checks.find(({ passed }) => !passed)
  if (!problem) return
  const isDamaged = ['integrity', 'contents'].includes(problem.name)
  throw new Error(
    `The backup cannot be restored. ${problem.message}${isDamaged ? '. Use another backup.' : ''}`,
  )
}

/** Copies the owner and mode of another file. */
async function copyOwnership(file: string, example: string): Promise<void> {
  const { uid, gid, mode } = await stat(example)
  await chmod(file, mode)
  await chown(file, uid, gid).catch((error: unknown) => {
    // Only root can change the owner of a file.
    if (errorCode(error) !== 'EPERM') throw error
  })
}

async function removeDatabase(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(file + suffix, { force: true })
}
