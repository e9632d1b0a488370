import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '@skillpass/server/testing'
import { makeFolder } from './cleanup.ts'
import { operateJson } from './commands.ts'
import { noteLack } from './lacking.ts'
import {
  createPostgres,
  createTemplate,
  dropPostgres,
  dropStale,
  postgresHost,
  postgresUrl,
} from './postgres.ts'

export type Engine = 'sqlite' | 'postgres'

export interface TestDatabase {
  readonly engine: Engine
  readonly url: string
  /** Deletes the file or drops the database, even if clients are still connected. */
  remove(): Promise<void>
}

/** The engine in `TEST_ENGINE`. If set, the run uses only this engine. */
const only = namedEngine()

/**
 * The available engines. Storage tests run on each: `describe.each(engines)('… on %s', (engine) =>
 * …)`.
 */
export const engines: readonly Engine[] = await availableEngines()

/** The engine for all other tests. */
export const engine: Engine = only ?? 'sqlite'

/** Creates an empty database. The caller removes it (`afterAll(() => database.remove())`). */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  if (engine === 'sqlite') {
    const { path, remove } = await makeFolder()
    return { engine, url: `file:${join(path, 'skillpass.db')}`, remove }
  }
  const name = await createPostgres()
  return { engine, url: postgresUrl(name), remove: () => dropPostgres(name) }
}

/**
 * Creates a migrated database with a fixed shingle key. With a random key, about 1 in 100 readmes
 * of a dozen words is sampled enough to be classified as a copy.
 */
export const createServerDatabase = (engine: Engine): Promise<TestDatabase> =>
  engine === 'sqlite' ? copySqlite() : copyPostgres()

/** A migrated SQLite file, created once per test process. */
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

/** A migrated Postgres database that others are copied from, created once per test process. */
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
  await operateJson({ url }, 'migrate', 'up')
  const db = await openDatabase(url)
  await db.write(async (trx) => {
    await trx.updateTable('registry_revision').set({ passage_key: 1 }).execute()
    // A server may start with any key.
    await trx.deleteFrom('encryption_keys').execute()
  })
  await db.close()
}

/** Creates and opens a migrated database. `remove` closes it first. */
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
  throw new Error(`TEST_ENGINE must be sqlite or postgres, not ${name}.`)
}

async function availableEngines(): Promise<Engine[]> {
  if (only === 'sqlite') return ['sqlite']
  try {
    await dropStale()
    return only ? [only] : ['sqlite', 'postgres']
  } catch (error) {
    if (only) throw error
    const reason = error instanceof Error && error.message ? error.message : String(error)
    const remedy = 'apt-get install postgresql, or set TEST_POSTGRES_URL to another administrator'
    noteLack(`Postgres at ${postgresHost} (${reason})`, remedy)
    return ['sqlite']
  }
}
