import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ceilingMs } from './waiting.ts'

const adminUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
/** Address of the Postgres server for the tests. */
export const postgresHost = new URL(adminUrl).host

/** Databases left by killed runs are dropped after this time. */
const staleMs = 60 * 60_000

/** Returns a new database name, which contains the id of the parent process that runs the tests. */
const newName = (kind: 'test' | 'template') =>
  `skillpass_${kind}_${Date.now()}_${process.ppid}x${randomBytes(4).toString('hex')}`

const timeOf = (name: string) => Number(name.split('_')[2])

/** The address of a database. */
export function postgresUrl(name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database, empty or copied from a template. Returns its name. */
export async function createPostgres(template = 'template1'): Promise<string> {
  const name = newName('test')
  await admin(`create database ${name} template ${template}`)
  return name
}

/** Creates an empty database as a template for tests. It stays until the run ends. */
export async function createTemplate(): Promise<string> {
  const name = newName('template')
  await admin(`create database ${name}`)
  return name
}

/** Drops a database, even if clients are still connected. */
export async function dropPostgres(name: string): Promise<void> {
  await admin(`drop database if exists ${name} with (force)`)
}

/** Lists databases that tests of this run have not removed. */
export const databasesLeft = (): Promise<string[]> =>
  databasesLike(`skillpass_test_%_${process.pid}x%`)

/** Drops databases of killed runs. Throws if Postgres does not respond. */
export async function dropStale(): Promise<void> {
  for (const name of await databasesLike('skillpass_%')) {
    if (timeOf(name) < Date.now() - staleMs) await dropPostgres(name)
  }
}

/** Drops the template databases of this run. */
export async function dropTemplates(): Promise<void> {
  for (const name of await databasesLike(`skillpass_template_%_${process.pid}x%`)) {
    await dropPostgres(name)
  }
}

async function databasesLike(pattern: string): Promise<string[]> {
  const like = pattern.replaceAll('_', '\\_')
  const rows = await admin(`select datname from pg_database where datname like '${like}'`)
  return rows.map(({ datname = '' }) => datname)
}

/** Runs one statement as the administrator on a new connection. */
export const admin = (statement: string): Promise<Record<string, string>[]> =>
  connected(adminUrl, (run) => run(statement))

/** Runs statements on a new connection to a database. */
export const runOn = (url: string, statements: string): Promise<Record<string, string>[]> =>
  connected(url, (run) => run(statements))

type Run = (sql: string) => Promise<Record<string, string>[]>

async function connected<T>(url: string, use: (run: Run) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ceilingMs })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(async (sql) => (await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}
