import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ceilingMs } from './waiting.ts'

const adminUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
/** Where the tests' Postgres runs. */
export const postgresHost = new URL(adminUrl).host

/** Databases of runs that were killed are dropped once they are this old. */
const staleMs = 60 * 60_000

/** A new name; the process that runs the tests is this worker's parent. */
const newName = (kind: 'test' | 'template') =>
  `skillpass_${kind}_${Date.now()}_${process.ppid}x${randomBytes(4).toString('hex')}`

const timeOf = (name: string) => Number(name.split('_')[2])

/** The address of a database. */
export function postgresUrl(name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Makes an empty database, or a copy of another one, and gives its name. */
export async function createPostgres(template = 'template1'): Promise<string> {
  const name = newName('test')
  await admin(`create database ${name} template ${template}`)
  return name
}

/** Makes an empty database that stays until the run ends: tests copy it. */
export async function createTemplate(): Promise<string> {
  const name = newName('template')
  await admin(`create database ${name}`)
  return name
}

/** Drops a database, whoever is still connected to it. */
export async function dropPostgres(name: string): Promise<void> {
  await admin(`drop database if exists ${name} with (force)`)
}

/** The databases that the tests of the workers of this process have not removed. */
export const databasesLeft = (): Promise<string[]> =>
  databasesLike(`skillpass_test_%_${process.pid}x%`)

/** Drops what killed runs left. Throws where Postgres does not answer. */
export async function dropStale(): Promise<void> {
  for (const name of await databasesLike('skillpass_%')) {
    if (timeOf(name) < Date.now() - staleMs) await dropPostgres(name)
  }
}

/** Drops the databases that the tests of the workers of this process copied. */
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

/** Runs one statement as the administrator, on a connection of its own. */
export const admin = (statement: string): Promise<Record<string, string>[]> =>
  connected(adminUrl, (run) => run(statement))

/** Runs statements, on a connection of its own to a database. */
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
