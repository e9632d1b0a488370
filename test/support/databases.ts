import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateUp } from '@skillpass/server/db/migrations/migrate'
import { type Database, openDatabase } from '@skillpass/server/db/open'
import pg from 'pg'

export type Engine = Database['dialect']

export interface TestDatabase {
  readonly engine: Engine
  readonly url: string
  /** Deletes the file or drops the database, whoever is still connected to it. */
  remove(): Promise<void>
}

const adminUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const prefix = 'skillpass_test'
/** Databases of runs that were killed are dropped once they are this old. */
const staleMs = 60 * 60_000

/** The engines this machine can test: `describe.each(engines)('… on %s', (engine) => …)`. */
export const engines: readonly Engine[] = await availableEngines()

/** Makes an empty database; the caller removes it (`afterAll(() => database.remove())`). */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), `${prefix}_`))
    return {
      engine,
      url: `file:${join(folder, 'skillpass.db')}`,
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  }
  const name = `${prefix}_${Date.now()}_${randomBytes(4).toString('hex')}`
  await admin(`create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { engine, url: url.href, remove: () => drop(name) }
}

/**
 * Makes a migrated database for a server, with the same key of passages in every run: under a key of
 * chance, one readme in a hundred of a dozen words is long enough to be told as a copy.
 */
export async function createServerDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await createTestDatabase(engine)
  const db = await openDatabase(database.url)
  await migrateUp(db)
  await db.write((trx) => trx.updateTable('registry_revision').set({ passage_key: 1 }).execute())
  await db.close()
  return database
}

/** Makes a migrated database and opens it; `remove` closes it first. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase & { db: Database }> {
  const database = await createTestDatabase(engine)
  try {
    const db = await openDatabase(database.url)
    await migrateUp(db)
    const remove = () => db.close().finally(database.remove)
    return { ...database, db, remove }
  } catch (error) {
    await database.remove()
    throw error
  }
}

async function availableEngines(): Promise<Engine[]> {
  try {
    await dropStale()
    return ['sqlite', 'postgres']
  } catch (error) {
    const where = new URL(adminUrl).host
    const reason = error instanceof Error && error.message ? error.message : String(error)
    const skipped = `Skipped: tests on Postgres, because ${where} does not answer (${reason}).`
    console.warn(`${skipped} TEST_POSTGRES_URL names another server.`)
    return ['sqlite']
  }
}

/** The databases on Postgres that tests made between two times, ms. */
export async function databasesMade(from: number, to = Date.now()): Promise<string[]> {
  const rows = await admin(`select datname from pg_database where datname like '${prefix}\\_%'`)
  return rows
    .map(({ datname = '' }) => datname)
    .filter((name) => {
      const made = Number(name.split('_')[2])
      return made >= from && made <= to
    })
}

async function dropStale(): Promise<void> {
  for (const name of await databasesMade(0, Date.now() - staleMs)) await drop(name)
}

/** Runs one statement as the administrator, on a connection of its own. */
export async function admin(statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(statement)
    return rows
  } finally {
    await client.end()
  }
}

async function drop(name: string): Promise<void> {
  await admin(`drop database if exists ${name} with (force)`)
}
