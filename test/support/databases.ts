import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrateUp } from '@skillpass/server/db/migrations/migrate'
import { type Database, openDatabase } from '@skillpass/server/db/open'
import {
  createPostgres,
  createTemplate,
  dropPostgres,
  dropStale,
  postgresHost,
  postgresUrl,
} from './postgres.ts'

export type Engine = Database['dialect']

export interface TestDatabase {
  readonly engine: Engine
  readonly url: string
  /** Deletes the file or drops the database, whoever is still connected to it. */
  remove(): Promise<void>
}

/** The engine that `TEST_ENGINE` names: the only one that a run with it uses. */
const only = namedEngine()

/**
 * The engines that tests of storage run on, each of those that this machine has:
 * `describe.each(engines)('… on %s', (engine) => …)`.
 */
export const engines: readonly Engine[] = await availableEngines()

/** The engine of all other tests. */
export const engine: Engine = only ?? 'sqlite'

/** Makes an empty database; the caller removes it (`afterAll(() => database.remove())`). */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'skillpass_test_'))
    return {
      engine,
      url: `file:${join(folder, 'skillpass.db')}`,
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  }
  const name = await createPostgres()
  return { engine, url: postgresUrl(name), remove: () => dropPostgres(name) }
}

/**
 * Makes a migrated database for a server, with the same key of passages in every run: under a key of
 * chance, one readme in a hundred of a dozen words is long enough to be told as a copy.
 */
export const createServerDatabase = (engine: Engine): Promise<TestDatabase> =>
  engine === 'sqlite' ? copySqlite() : copyPostgres()

/** The file of a migrated database, made once by each process of tests. */
let sqliteFile: Promise<Buffer> | undefined

async function copySqlite(): Promise<TestDatabase> {
  sqliteFile ??= makeSqlite()
  const database = await createTestDatabase('sqlite')
  await writeFile(fileURLToPath(database.url), await sqliteFile)
  return database
}

async function makeSqlite(): Promise<Buffer> {
  const database = await createTestDatabase('sqlite')
  await migrate(database)
  const file = await readFile(fileURLToPath(database.url))
  await database.remove()
  return file
}

/** The migrated database that others are copies of, made once by each process of tests. */
let template: Promise<string> | undefined

async function copyPostgres(): Promise<TestDatabase> {
  template ??= makeTemplate()
  const name = await createPostgres(await template)
  return { engine: 'postgres', url: postgresUrl(name), remove: () => dropPostgres(name) }
}

async function makeTemplate(): Promise<string> {
  const name = await createTemplate()
  await migrate({ url: postgresUrl(name) })
  return name
}

async function migrate({ url }: Pick<TestDatabase, 'url'>): Promise<void> {
  const db = await openDatabase(url)
  await migrateUp(db)
  await db.write((trx) => trx.updateTable('registry_revision').set({ passage_key: 1 }).execute())
  await db.close()
}

/** Makes a migrated database and opens it; `remove` closes it first. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase & { db: Database }> {
  const database = await createServerDatabase(engine)
  try {
    const db = await openDatabase(database.url)
    const remove = () => db.close().finally(database.remove)
    return { ...database, db, remove }
  } catch (error) {
    await database.remove()
    throw error
  }
}

function namedEngine(): Engine | undefined {
  const { TEST_ENGINE: name } = process.env
  if (name === undefined || name === 'sqlite' || name === 'postgres') return name
  throw new Error(`TEST_ENGINE is sqlite or postgres, not ${name}.`)
}

async function availableEngines(): Promise<Engine[]> {
  if (only === 'sqlite') return ['sqlite']
  try {
    await dropStale()
    return only ? [only] : ['sqlite', 'postgres']
  } catch (error) {
    if (only) throw error
    const reason = error instanceof Error && error.message ? error.message : String(error)
    const skipped = `Skipped: tests on Postgres, because ${postgresHost} does not answer (${reason}).`
    console.warn(`${skipped} TEST_POSTGRES_URL names another server.`)
    return ['sqlite']
  }
}
