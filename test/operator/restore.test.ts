import { execFile } from 'node:child_process'
import { copyFile, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteConnection from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { operate, operateJson } from '../support/commands.ts'
import { createServerDatabase, type TestDatabase } from '../support/databases.ts'
import { root } from '../support/processes.ts'
import { publish, serverForTest, unique } from '../support/skills.ts'

const fileOf = ({ url }: Pick<TestDatabase, 'url'>) => fileURLToPath(url)

/** Creates a migrated database in its own folder. The file of the backup does not exist yet. */
async function createDatabase() {
  const database = await createServerDatabase('sqlite')
  onTestFinished(database.remove)
  return { database, file: fileOf(database), backup: join(await temporaryFolder(), 'backup.db') }
}

/** Runs a statement on a database that no server uses. */
function sqlite(file: string, statement: string) {
  const db = new SqliteConnection(file)
  db.exec(statement)
  db.close()
}

/** Inserts a marker row into a database that no server uses. */
const mark = (file: string, id: number) =>
  sqlite(file, `insert into schema_lock (id, taken) values (${id}, 0)`)

/** Returns the ids of the marker rows. Fails if the database is damaged. */
function marksOf(file: string): number[] {
  const db = new SqliteConnection(file)
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const rows = db.prepare<[], { id: number }>('select id from schema_lock where id > 1').all()
    return rows.map(({ id }) => id)
  } finally {
    db.close()
  }
}

const restore = (url: string, backup: string) => operateJson({ url }, 'restore', backup, '--yes')

/** Lists the files in the folder of a database. */
const filesBeside = async (file: string) => (await readdir(dirname(file))).sort()

async function writeHeader(file: string, header: Buffer) {
  const handle = await open(file, 'r+')
  await handle.write(header, 0, 100, 0)
  await handle.close()
}

const damageHeader = (file: string) => writeHeader(file, Buffer.alloc(100, 7))

test('restore brings back the content of the backup and keeps the previous database beside it', async () => {
  const { database, file, backup } = await createDatabase()
  const snapshot = `${file}-snapshot`
  const env = { SNAPSHOT_DIR: snapshot }
  const before = await serverForTest({ database, env })
  const agent = await before.agent()
  const slugs = [unique('kept'), unique('undone')] as const
  await publish(agent, { slug: slugs[0] })
  await before.ctx.db.backup(backup)
  await publish(agent, { slug: slugs[1] })
  await before.stop()

  const restored = await operateJson(database, 'restore', backup, '--yes')
  expect(restored).toMatchObject({
    file: backup,
    database: file,
    former: expect.stringMatching(/\.db\.before-restore-\d{8}T\d{6}\.\d{3}Z$/),
  })
  const former = String(restored.former)
  const files = [file, former, snapshot].map((path) => basename(path)).sort()
  expect(await filesBeside(file)).toEqual(files)
  const after = await serverForTest({ database, env })
  const aside = await serverForTest({ database: { ...database, url: `file:${former}` } })
  for (const [server, held] of [
    [after, [true, false]],
    [aside, [true, true]],
  ] as const) {
    const { data } = await server.client.registry.skills.search({ query: { limit: 10 } })
    expect(slugs.map((slug) => data.some((skill) => skill.slug === slug))).toEqual(held)
  }
  await publish({ client: after.clientFor(agent.apiKey) })
  const { entries } = await operateJson(database, 'audit', '--action', 'operator.restored')
  expect(entries).toMatchObject([{ note: backup, who: expect.any(String) }])
})

test('restore without a terminal needs --yes', async () => {
  const { database, file, backup } = await createDatabase()
  await copyFile(file, backup)
  expect(await operate(database, 'restore', backup)).toEqual({
    code: 2,
    out: '',
    err: `error: Replace the database with ${backup}? Add --yes to confirm.\n`,
  })
  const { code, out } = await operate(database, 'restore', backup, '--yes')
  expect(code).toBe(0)
  const [first, second] = out.split('\n')
  expect(first).toBe(`Restored ${file} from ${backup}.`)
  expect(second).toMatch(/^The previous database is .+\. Delete it when you no longer need it\.$/)
})

test('restore creates the database and its folder if they are missing', async () => {
  const { file, backup } = await createDatabase()
  mark(file, 7)
  await copyFile(file, backup)
  const place = join(await temporaryFolder(), 'new', 'skillpass.db')
  const { former } = await restore(`file:${place}`, backup)
  expect(former).toBe(null)
  expect(marksOf(place)).toEqual([7])
  expect(await filesBeside(place)).toEqual(['skillpass.db'])
})

test('restore on Postgres refers to pg_restore', async () => {
  const url = 'postgres://postgres@127.0.0.1:1/skillpass'
  expect(await operate({ url }, 'restore', 'any.dump', '--yes')).toMatchObject({
    code: 1,
    err: 'This command restores only SQLite databases. Restore a Postgres database with pg_restore.\n',
  })
})

test('restore includes the write-ahead log beside a backup and does not change it', async () => {
  const { database, file, backup } = await createDatabase()
  const db = new SqliteConnection(file)
  db.pragma('journal_mode = wal')
  db.prepare('insert into schema_lock (id, taken) values (7, 0)').run()
  for (const suffix of ['', '-wal']) await copyFile(file + suffix, backup + suffix)
  db.close()
  const log = await readFile(`${backup}-wal`)
  mark(file, 8)
  const { former } = await restore(database.url, backup)
  expect([marksOf(file), marksOf(String(former))]).toEqual([[7], [7, 8]])
  expect(await readFile(`${backup}-wal`)).toEqual(log)
})

test.each([
  ['its first page', damageHeader],
  ['its tables', async (file: string) => writeFile(file, (await readFile(file)).fill(255, 4096))],
  ['all its content', (file: string) => truncate(file)],
])('restore replaces a database that has lost %s', async (_, damage) => {
  const { database, file, backup } = await createDatabase()
  mark(file, 7)
  await copyFile(file, backup)
  await damage(file)
  // The log of another database would corrupt the restored one.
  await writeFile(`${file}-wal`, 'w'.repeat(5000))
  const damaged = await readFile(file)
  const { former } = await restore(database.url, backup)
  expect(marksOf(file)).toEqual([7])
  const preserved = await readFile(String(former))
  expect(preserved.subarray(0, damaged.length).equals(damaged)).toBe(true)
  const server = await serverForTest({ database })
  await publish(await server.agent())
})

test('restore changes nothing while a server runs, whether its database is intact or damaged', async () => {
  const { database, file, backup } = await createDatabase()
  await copyFile(file, backup)
  const server = await serverForTest({ database })
  const agent = await server.agent()
  const refused = /skillpass\.db is locked by another process\./
  await expect(restore(database.url, backup)).rejects.toThrow(refused)
  const names = await filesBeside(file)
  const header = (await readFile(file)).subarray(0, 100)
  await damageHeader(file)
  await expect(restore(database.url, backup)).rejects.toThrow(refused)
  await writeHeader(file, header)
  expect(await filesBeside(file)).toEqual(names)
  await publish(agent)
})

test.each<[string, (backup: string) => unknown, RegExp]>([
  ['is missing', (backup) => rm(backup), /^There is no file \/.+backup\.db\.$/],
  [
    'is not a database',
    (backup) => writeFile(backup, 'Dear database,\n'.repeat(1000)),
    /^The backup cannot be restored\. .+backup\.db: file is not a database\. Use another backup\.$/,
  ],
  ['is empty', (backup) => truncate(backup), /backup\.db: no Skillpass tables\./],
  [
    'is truncated',
    async (backup) => truncate(backup, (await readFile(backup)).length / 2),
    /backup\.db: database disk image is malformed\. Use another backup\.$/,
  ],
  [
    'is damaged inside',
    async (backup) => writeFile(backup, (await readFile(backup)).fill(1, 4096 * 9, 4096 * 40)),
    /^The backup cannot be restored\. .+backup\.db: .+\. Use another backup\.$/,
  ],
  [
    'is of a newer version',
    (backup) => sqlite(backup, "insert into schema_migrations values ('9999-later', 1)"),
    /a newer version of Skillpass has migrated it \(9999-later\)\. Use that version/,
  ],
  [
    'is encrypted with a missing key',
    (backup) => sqlite(backup, "insert into encryption_keys values ('0123456789ab', 1)"),
    /encrypted with the key 0123456789ab, which is missing\. Set ENCRYPTION_KEY to it/,
  ],
])('restore changes nothing if the backup %s', async (_, damage, message) => {
  const { database, file, backup } = await createDatabase()
  await copyFile(file, backup)
  await damage(backup)
  await expect(restore(database.url, backup)).rejects.toThrow(message)
  expect(marksOf(file)).toEqual([])
  expect(await filesBeside(file)).toEqual(['skillpass.db'])
})

test('restore changes nothing if the backup is the database itself', async () => {
  const { database, file } = await createDatabase()
  await expect(restore(database.url, file)).rejects.toThrow(`${file} is the database itself.`)
})

test('a restore that is killed at any step leaves an intact database, and can be repeated', async () => {
  const { database, file, backup } = await createDatabase()
  await copyFile(file, backup)
  mark(backup, 7)
  mark(file, 8)
  const former = `${file}.former`
  const seen: (number | undefined)[] = []
  for (let step = 1, ended = false; !ended; step++) {
    await copyFile(backup, `${file}.restoring`)
    ended = await replaceKilledAt(step, file, former)
    const [found] = marksOf(file)
    seen.push(found)
    const preserved = (await filesBeside(file)).includes(basename(former))
      ? marksOf(former)
      : undefined
    if (found === 7 || preserved) expect(preserved).toEqual([8])
    await rm(former, { force: true })
    if (found !== 8) sqlite(file, 'update schema_lock set id = 8 where id = 7')
  }
  // Early kills leave the previous database, later ones the restored database.
  expect(seen).toEqual([...seen].sort().reverse())
  expect(new Set(seen)).toEqual(new Set([7, 8]))
  await restore(database.url, backup)
  expect(marksOf(file)).toEqual([7])
})

/**
 * Replaces a database in a process that is killed before its nth step. Returns true if it finished.
 */
async function replaceKilledAt(step: number, file: string, former: string) {
  const program = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let remaining = ${step}
    for (const name of ['link', 'open', 'rename', 'rm']) {
      const act = fs.promises[name]
      fs.promises[name] = (...args) => {
        if (--remaining === 0) process.kill(process.pid, 'SIGKILL')
        return act(...args)
      }
    }
    syncBuiltinESMExports()
    const { holdSqlite, replaceSqlite } = await import('${root}server/dist/db/replace-sqlite.js')
    const [, file, former] = process.argv
    const release = await holdSqlite(file)
    await replaceSqlite(file, file + '.restoring', former)
    release()`
  return new Promise<boolean>((resolve, reject) => {
    const args = ['--input-type=module', '-e', program, file, former]
    execFile(process.execPath, args, (error, _, stderr) => {
      if (error && error.signal !== 'SIGKILL') reject(new Error(stderr))
      else resolve(error === null)
    })
  })
}
